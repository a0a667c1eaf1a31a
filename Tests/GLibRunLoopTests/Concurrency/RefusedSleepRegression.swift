import CFaults
import GLibRunLoop
import Glibc
import Testing

@Suite(.patient) struct RefusedSleepRegression {
  @Test("C10 a sleep whose timer was refused throws why", arguments: Driver.allCases)
  func clock(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      // On the loop's thread, which is the one whose calls fail.
      let error = await Task(executorPreference: loop) {
        fault_set(FAULT_TIMERFD_CREATE, EMFILE, 0, -1)
        defer { fault_set(FAULT_TIMERFD_CREATE, 0, 0, 0) }
        return await #expect(throws: GRunLoop.Failure.self) {
          try await loop.clock(.continuous).sleep(for: .milliseconds(50))
        }
      }.value
      guard case .refused(let reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
      #expect(reason.contains("timerfd_create"))
      try await loop.clock(.continuous).sleep(for: .milliseconds(1))
    }
  }

  @Test("C10 a sleep, a time-out, a sequence and a perform may meet the loop's end at any moment: none hangs")
  func race() async {
    for round in 0..<1000 {
      let ready = Gate<GRunLoop>()
      let thread = TestThread {
        ready.open(.current)
        for _ in 0..<round % 60 * 20 { _ = GRunLoop.Instant.now }
      }
      let loop = ready.wait()
      async let sleep: Void = expectEnd { try await loop.clock().sleep(for: .seconds(3600)) }
      async let timeout: Void = expectEnd {
        try await withTimeout(.seconds(3600), clock: loop.clock()) { try await Task.sleep(for: .seconds(3600)) }
      }
      async let ticks: Void = { for await _ in loop.ticks(every: .seconds(3600)) {} }()
      async let perform: Void = expectEnd { try await loop.performAndWait {} }
      _ = await (sleep, timeout, ticks, perform)
      thread.join()
    }
  }

  private func expectEnd(_ body: () async throws -> Void) async {
    await #expect(throws: GRunLoop.Failure.ended) { try await body() }
  }

  @Test("C6 a sequence without a mode is empty, and says so")
  func noMode() async throws {
    try await withDrivenLoop(.swift) { loop in
      for await _ in loop.ticks(every: .milliseconds(1), inModes: []) { Issue.record("a tick") }
    }
  }
}
