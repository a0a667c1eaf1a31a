import GLibRunLoop
import Glibc
import Testing

@Suite struct PerformAndWaitTests {
  private struct Refusal: Error, Equatable { let number: Int }

  /// A thread whose loop is run by one driver or the other, until `finish`.
  private func withLoop(_ driver: Driver, _ body: (GRunLoop) throws -> Void) rethrows {
    let gate = Gate<Drive>()
    let thread = TestThread {
      let drive = Drive(driver)
      gate.open(drive)
      drive.run(limit: .seconds(100))
    }
    let drive = gate.wait()
    defer {
      drive.loop.perform { drive.quit() }
      thread.join()
    }
    try body(drive.loop)
  }

  @Test("P3 it blocks until the closure has run there, and returns its value", arguments: Driver.allCases)
  func value(_ driver: Driver) throws {
    try withLoop(driver) { loop in
      for index in 0..<200 {
        let log = Log(of: Bool.self)
        let value = try loop.performAndWait {
          log.append(loop.isCurrent)
          return index
        }
        #expect(value == index)
        #expect(log.entries == [true], "it has run, on the loop's thread")
      }
    }
  }

  @Test("P3 it throws the closure's error", arguments: Driver.allCases)
  func error(_ driver: Driver) throws {
    withLoop(driver) { loop in
      for number in 0..<50 {
        #expect(throws: Refusal(number: number)) { try loop.performAndWait { throw Refusal(number: number) } }
        #expect(throws: Refusal(number: number)) {
          try loop.performAndWait(timeout: .seconds(30)) { throw Refusal(number: number) }
        }
      }
    }
  }

  @Test("P3 it comes after what the same thread queued before", arguments: Driver.allCases)
  func order(_ driver: Driver) throws {
    try withLoop(driver) { loop in
      let log = Log(of: Int.self)
      for index in 0..<100 { loop.perform { log.append(index) } }
      let count = try loop.performAndWait { log.count }
      #expect(count == 100)
    }
  }

  @Test(
    "P3 on the loop's own thread it runs inline, also inside a call-back and a nested run", arguments: Driver.allCases)
  func inline(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      loop.perform { log.append("queued") }
      try loop.performAndWait { log.append("inline") }
      let seven = try loop.performAndWait(timeout: .zero) { 7 }
      #expect(seven == 7)
      #expect(throws: Refusal(number: 1)) { try loop.performAndWait { throw Refusal(number: 1) } }
      #expect(log.entries == ["inline"], "before what is queued")
      loop.perform {
        #expect((try? loop.performAndWait { loop.currentMode }) == .default)
        loop.perform(inModes: ["nested"]) {
          #expect((try? loop.performAndWait { loop.currentMode }) == "nested")
          log.append("nested")
        }
        loop.run(mode: "nested", for: .zero)
        drive.quit()
      }
      drive.run()
      #expect(log.entries == ["inline", "queued", "nested"])
    }
  }

  @Test(
    "P3 a nested run in a common mode serves those who wait; one in a private mode lets them wait",
    arguments: Driver.allCases)
  func nestedRuns(_ driver: Driver) throws {
    try withLoop(driver) { loop in
      let inside = Gate<Void>()
      let outside = Gate<Void>()
      loop.perform {
        loop.add(GRunLoop.Source { _ in }, forMode: .modalPanel)
        inside.open()
        loop.run(mode: .modalPanel, for: .seconds(60))
        outside.open()
      }
      inside.wait()
      let mode = try loop.performAndWait { loop.currentMode }
      #expect(mode == .modalPanel)
      // While the loop is in a private mode, the wait is too long; then it is served.
      try loop.performAndWait {
        loop.add(GRunLoop.Source { _ in }, forMode: "private")
        loop.perform(inModes: ["private"]) {
          TestThread {
            #expect(throws: GRunLoop.Failure.timedOut) { try loop.performAndWait(timeout: .milliseconds(20)) {} }
          }.join()
        }
        #expect(loop.run(mode: "private", for: .milliseconds(50)) == .timedOut)
        loop.stop()
      }
      // The pass that was stopped goes on to its end, and may serve what comes meanwhile.
      outside.wait()
      let outer = try loop.performAndWait { loop.currentMode }
      #expect(outer == .default)
    }
  }
}
