import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct StallReportTests {
  @Test("a call-back that keeps the loop is reported: its item, line, mode and time", arguments: Driver.allCases)
  func timer(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var line: UInt = 0
      let stalls = try drive.loop.stalls(count: 2) {
        let timer = GRunLoop.Timer(interval: .milliseconds(20)) { _ in usleep(400_000) }
        timer.name = "the slow one"
        line = #line + 1
        drive.loop.add(timer, forMode: .default)
        drive.loop.perform(after: .milliseconds(500)) { drive.quit() }
        drive.run()
      }
      #expect(stalls.map(\.isOver) == [false, true])
      let stall = try #require(stalls.first)
      #expect(stall.kind == "Timer" && stall.name == "the slow one" && stall.mode == .default)
      #expect(stall.place == "RunLoopInstrumentsTests/StallReportTests.swift:\(line)")
      #expect(stall.duration >= .milliseconds(50) && stall.callbackDuration! <= stall.duration)
      #expect(stall.callbacks == 1 && stall.stack.isEmpty)
      #expect(stalls[1].name == stall.name && stalls[1].duration >= .milliseconds(300))
      #expect(stall.description.contains("\"the slow one\", added at RunLoopInstrumentsTests/StallReportTests.swift"))
    }
  }

  @Test("P1 a perform that keeps the loop is reported with the line that queued it", arguments: Driver.allCases)
  func perform(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let line: UInt = #line + 4
      let stalls = try drive.loop.stalls(count: 2) {
        // From a later turn: the first one lets the loop get its poll function, which tells when GLib drives.
        drive.loop.perform(after: .milliseconds(20)) {
          drive.loop.perform { usleep(300_000) }
          drive.loop.perform(after: .milliseconds(400)) { drive.quit() }
        }
        drive.run()
      }
      let stall = try #require(stalls.first)
      #expect(stall.kind == "perform" && stall.place == "RunLoopInstrumentsTests/StallReportTests.swift:\(line)")
    }
  }

  @Test("many short call-backs in one turn are one stall", arguments: Driver.allCases)
  func many(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let stalls = try drive.loop.stalls(count: 2) {
        drive.loop.perform(after: .milliseconds(20)) {
          for _ in 0..<40 { drive.loop.perform { usleep(10_000) } }
          drive.loop.perform(after: .milliseconds(500)) { drive.quit() }
        }
        drive.run()
      }
      let stall = try #require(stalls.first)
      #expect(stall.callbacks > 1 && stall.callbackDuration! < stall.duration)
    }
  }

  @Test("M6 a source of GLib's that keeps the loop is reported as none of the loop's items", arguments: Driver.allCases)
  func foreign(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let stalls = try drive.loop.stalls(takesStacks: true, count: 2) {
        var calls = 0
        let source = Foreign.timeout(milliseconds: 20) {
          calls += 1
          if calls == 2 { usleepUninterrupted(.seconds(1)) }
          return calls < 2
        }
        g_source_set_name(source, "a library's source")
        source.attach(to: drive.loop.context)
        drive.loop.perform(after: .milliseconds(1300)) { drive.quit() }
        drive.run()
      }
      let stall = try #require(stalls.first)
      #expect(stall.kind == "GLib's sources" && stall.name == "a library's source" && stall.place == nil)
    }
  }
}
