import GLibRunLoop
import Testing

@Suite struct PerformAfterDelayTests {
  @Test("P4 when the delay has passed", arguments: Driver.allCases)
  func atLeast(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: Int.self)
      for milliseconds in [30, 1, 0, 7] {
        let due = GRunLoop.Instant.now.advanced(by: .milliseconds(milliseconds))
        loop.perform(after: .milliseconds(milliseconds)) {
          #expect(clock.now == due)
          log.append(milliseconds)
          if milliseconds == 30 { drive.quit() }
        }
      }
      #expect(log.entries.isEmpty)
      drive.run()
      #expect(log.entries == [0, 1, 7, 30])
    }
  }

  @Test("P4 a zero or negative delay is due at once, and still not run by the call itself", arguments: Driver.allCases)
  func dueAtOnce(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      drive.loop.perform(after: .zero) { log.append("zero") }
      drive.loop.perform(after: .seconds(-10)) { log.append("negative") }
      drive.loop.perform(after: .seconds(Int64.min)) { log.append("most negative") }
      drive.loop.perform(after: .seconds(Int64.max)) { log.append("never") }
      #expect(log.entries.isEmpty)
      drive.poll()
      #expect(log.entries == ["zero", "negative", "most negative"])
    }
  }

  @Test("P4 only in its modes: what is due elsewhere waits for a run there")
  func modes() async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      let log = Log(of: String.self)
      loop.perform(after: .milliseconds(1)) { log.append("common") }
      loop.perform(inModes: ["a", "b"], after: .milliseconds(1)) { log.append("a or b") }
      loop.add(GRunLoop.Source { _ in }, forMode: "c")
      loop.run(mode: "c", for: .milliseconds(10))
      #expect(log.entries.isEmpty)
      loop.run(mode: .eventTracking, for: .zero)
      #expect(log.entries == ["common"])
      loop.run(mode: "b", for: .zero)
      #expect(log.entries == ["common", "a or b"])
      #expect(loop.run(mode: "a", for: .zero) == .finished, "once, in one of them")
    }
  }

  @Test("P4 from another thread, and with a priority", arguments: Driver.allCases)
  func fromAnotherThread(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let thread = TestThread {
        loop.perform(after: .milliseconds(20), priority: .idle) {
          log.append("\(loop.isCurrent)")
          if log.count == 2 { drive.quit() }
        }
        loop.perform(after: .milliseconds(5)) {
          log.append("\(loop.isCurrent)")
          if log.count == 2 { drive.quit() }
        }
      }
      drive.run()
      thread.join()
      #expect(log.entries == ["true", "true"])
    }
  }
}
