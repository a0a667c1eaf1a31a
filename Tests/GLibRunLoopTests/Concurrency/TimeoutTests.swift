import GLibRunLoop
import Testing

@Suite(.patient) struct TimeoutTests {
  @Test("C6 work that is done in time gives its value, or throws its error", arguments: Driver.allCases)
  func inTime(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let before = loop.count(of: "Timer")
      let value = try await withTimeout(.seconds(3600), clock: loop.clock()) { 42 }
      #expect(value == 42)
      await #expect(throws: Refusal.again) {
        try await withTimeout(.seconds(3600), clock: loop.clock()) { throw Refusal.again }
      }
      #expect(loop.count(of: "Timer") == before, "the timers are gone with the work")
    }
  }

  @Test("C6 when the time is up the work is cancelled and waited for, and the call throws", arguments: Driver.allCases)
  func timeIsUp(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let log = Log(of: String.self)
      let error = await #expect(throws: GRunLoop.TimeoutError.self) {
        try await withTimeout(.milliseconds(5), clock: loop.clock()) {
          do { try await Task.sleep(for: .seconds(3600)) } catch { log.append("cancelled") }
          log.append("tidied up")
        }
      }
      #expect(log.entries == ["cancelled", "tidied up"], "its value comes too late")
      #expect(error?.description.contains("was not done in time") == true)
    }
  }

  @Test("C6 cancelling the caller cancels the work, whose word counts", arguments: Driver.allCases)
  func callerCancelled(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let begun = Log(of: Int.self)
      let task = Task {
        try await withTimeout(.seconds(3600), clock: loop.clock()) {
          begun.append(1)
          do { try await Task.sleep(for: .seconds(3600)) } catch { throw Refusal.again }
        }
      }
      while begun.count == 0 { await Task.yield() }
      task.cancel()
      await #expect(throws: Refusal.again) { try await task.value }
    }
  }

  @Test("C6, L5 a clock whose loop ends says so, and the work is cancelled")
  func loopEnds() async throws {
    let worker = LoopWorker()
    let loop = worker.loop
    let task = Task {
      try await withDeadline(loop.clock().now + .seconds(3600), clock: loop.clock()) {
        try await Task.sleep(for: .seconds(3600))
      }
    }
    while loop.count(of: "Timer") == 0 { await Task.yield() }
    worker.finish()
    await #expect(throws: GRunLoop.Failure.ended) { try await task.value }
  }

  @Test("C5 any clock will do: a loop that does not turn cannot keep a caller waiting")
  func anyClock() async throws {
    try await withDrivenLoop(.swift) { loop in
      await #expect(throws: GRunLoop.TimeoutError.self) {
        try await withTimeout(.milliseconds(5), clock: .continuous) {
          try await loop.performAndWait(inModes: ["never"]) { Issue.record("it ran") }
        }
      }
    }
  }

  private enum Refusal: Error { case again }
}
