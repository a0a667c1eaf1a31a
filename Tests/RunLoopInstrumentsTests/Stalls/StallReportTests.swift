import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct StallReportTests {
  @Test("a call-back that keeps the loop is reported: its item, line, mode and time", arguments: Driver.allCases)
  func timer(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      try inTime(from: .milliseconds(50), to: .seconds(3)) { limit in
        var line: UInt = 0
        let stalls = try drive.loop.stalls(limit: limit, count: 2) {
          let timer = GRunLoop.Timer(interval: .milliseconds(20)) { _ in usleepUninterrupted(limit * 8) }
          timer.name = "the slow one"
          line = #line + 1
          drive.loop.add(timer, forMode: .default)
          drive.loop.perform(after: limit * 10) { drive.quit() }
          drive.run()
        }
        // What a busy machine does is a stall, too, or part of one.
        guard stalls.map(\.isOver) == [false, true], stalls[0].callbacks == 1, let duration = stalls[0].callbackDuration
        else { return false }
        let stall = stalls[0]
        #expect(stall.kind == "Timer" && stall.name == "the slow one" && stall.mode == .default)
        #expect(stall.place == "RunLoopInstrumentsTests/StallReportTests.swift:\(line)")
        #expect(stall.duration >= limit && duration <= stall.duration)
        #expect(stall.stack.isEmpty)
        #expect(stalls[1].name == stall.name && stalls[1].duration >= limit * 6)
        #expect(stall.description.contains("\"the slow one\", added at RunLoopInstrumentsTests/StallReportTests.swift"))
        return true
      }
    }
  }

  @Test("P1 a perform that keeps the loop is reported with the line that queued it", arguments: Driver.allCases)
  func perform(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      try inTime(from: .milliseconds(50), to: .seconds(3)) { limit in
        let line: UInt = #line + 4
        let stalls = try drive.loop.stalls(limit: limit, count: 2) {
          // From a later turn: the first one lets the loop get its poll function, which tells when GLib drives.
          drive.loop.perform(after: .milliseconds(20)) {
            drive.loop.perform { usleepUninterrupted(limit * 6) }
            drive.loop.perform(after: limit * 8) { drive.quit() }
          }
          drive.run()
        }
        let place = "RunLoopInstrumentsTests/StallReportTests.swift:\(line)"
        return stalls.first.map { $0.kind == "perform" && $0.place == place } ?? false
      }
    }
  }

  @Test("many short call-backs in one turn are one stall", arguments: Driver.allCases)
  func many(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      try inTime(from: .milliseconds(50), to: .seconds(3)) { limit in
        let stalls = try drive.loop.stalls(limit: limit, count: 2) {
          drive.loop.perform(after: .milliseconds(20)) {
            for _ in 0..<40 { drive.loop.perform { usleepUninterrupted(limit * 0.2) } }
            drive.loop.perform(after: limit * 10) { drive.quit() }
          }
          drive.run()
        }
        guard let stall = stalls.first, stall.callbacks > 1, let duration = stall.callbackDuration else { return false }
        #expect(duration < stall.duration)
        return true
      }
    }
  }

  @Test("M6 a source of GLib's that keeps the loop is reported as none of the loop's items", arguments: Driver.allCases)
  func foreign(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      try inTime(from: .milliseconds(50), to: .seconds(3)) { limit in
        let stalls = try drive.loop.stalls(limit: limit, takesStacks: true, count: 2) {
          var calls = 0
          let source = Foreign.timeout(milliseconds: 20) {
            calls += 1
            if calls == 2 { usleepUninterrupted(limit * 20) }
            return calls < 2
          }
          g_source_set_name(source, "a library's source")
          source.attach(to: drive.loop.context)
          drive.loop.perform(after: limit * 26) { drive.quit() }
          drive.run()
        }
        guard let stall = stalls.first, stall.name == "a library's source" else { return false }
        #expect(stall.kind == "GLib's sources" && stall.place == nil)
        return true
      }
    }
  }
}
