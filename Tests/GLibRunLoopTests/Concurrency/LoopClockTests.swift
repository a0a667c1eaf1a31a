import GLibRunLoop
import Testing

@Suite(.patient) struct LoopClockTests {
  @Test("C6, T8 a sleep on a loop's clock is a timer: never early", arguments: Driver.allCases)
  func neverEarly(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      for timebase in GRunLoop.Timebase.allCases {
        let clock = loop.clock(timebase)
        let deadline = clock.now + .milliseconds(3)
        try await clock.sleep(until: deadline)
        #expect(clock.now >= deadline)
        #expect(deadline.timebase == timebase)
      }
      #expect(
        try await loop.clock().measure { try await loop.clock().sleep(for: .milliseconds(2)) } >= .milliseconds(2))
    }
  }

  @Test("C6, T7 it shares its wake-up with timers, as its tolerance allows", arguments: Driver.allCases)
  func tolerance(_ driver: Driver) async throws {
    try await withManualLoop(driver) { loop, clock in
      let early = clock.now + .milliseconds(100)
      let late = early + .milliseconds(50)
      let sleeps = [(early, Duration.seconds(3600)), (late, .zero)].map { date, tolerance in
        Task {
          try await loop.clock().sleep(until: date, tolerance: tolerance)
          return clock.now
        }
      }
      while loop.count(of: "Timer") < 2 { await Task.yield() }
      try await loop.performAndWait { clock.advance(to: late) }
      for sleep in sleeps { #expect(try await sleep.value == late) }
    }
  }

  @Test("C6 cancelling a sleep ends it, and frees its timer", arguments: Driver.allCases)
  func cancel(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let before = loop.count(of: "Timer")
      let task = Task { try await loop.clock().sleep(for: .seconds(3600)) }
      while loop.count(of: "Timer") == before { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(loop.count(of: "Timer") == before)
      await #expect(throws: CancellationError.self) {
        withUnsafeCurrentTask { $0?.cancel() }
        try await loop.clock().sleep(for: .zero)
      }
    }
  }

  @Test("C6, L5 a sleep on a loop that ends, or has ended, throws")
  func ended() async throws {
    let worker = LoopWorker()
    let loop = worker.loop
    let task = Task { try await loop.clock().sleep(for: .seconds(3600)) }
    while loop.count(of: "Timer") == 0 { await Task.yield() }
    worker.finish()
    await #expect(throws: GRunLoop.Failure.ended) { try await task.value }
    await #expect(throws: GRunLoop.Failure.ended) { try await loop.clock().sleep(for: .zero) }
  }
}
