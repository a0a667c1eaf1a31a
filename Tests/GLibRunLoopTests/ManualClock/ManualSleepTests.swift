import GLibRunLoop
import Testing

@Suite(.patient) struct ManualSleepTests {
  @Test("C6 tasks sleep in the loop's time, which a test moves", arguments: Driver.allCases)
  func sleep(_ driver: Driver) async throws {
    try await withManualLoop(driver) { loop, clock in
      let before = loop.count(of: "Timer")
      let start = clock.now
      let tasks = [3600, 7200].map { seconds in
        Task {
          try await loop.clock().sleep(until: start + .seconds(seconds))
          return clock.now - start
        }
      }
      while loop.count(of: "Timer") < before + 2 { await Task.yield() }
      try await loop.performAndWait { clock.advance(by: .seconds(3600)) }
      #expect(try await tasks[0].value == .seconds(3600))
      #expect(loop.count(of: "Timer") == before + 1)
      try await loop.performAndWait { clock.advance(by: .seconds(3600)) }
      #expect(try await tasks[1].value == .seconds(7200))
    }
  }

  @Test("C6 a time-out on the manual clock", arguments: Driver.allCases)
  func timeout(_ driver: Driver) async throws {
    try await withManualLoop(driver) { loop, clock in
      let before = loop.count(of: "Timer")
      let task = Task {
        try await withTimeout(.seconds(3600), clock: clock) { try await loop.performAndWait(inModes: ["never"]) {} }
      }
      while loop.count(of: "Timer") == before { await Task.yield() }
      try await loop.performAndWait { clock.advance(by: .seconds(3600)) }
      await #expect(throws: GRunLoop.TimeoutError.self) { try await task.value }
    }
  }

  @Test(
    "C6, T5 ticks begin one interval after the loop's moment, and are its timer's dates", arguments: Driver.allCases)
  func ticks(_ driver: Driver) async throws {
    try await withManualLoop(driver) { loop, clock in
      try await loop.performAndWait { clock.advance(by: .seconds(100)) }
      let before = loop.count(of: "Timer")
      let start = clock.now
      var ticks = loop.ticks(every: .seconds(10)).makeAsyncIterator()
      while loop.count(of: "Timer") == before { await Task.yield() }
      try await loop.performAndWait { clock.advance(by: .seconds(10)) }
      #expect(await ticks.next() == start + .seconds(10))
      try await loop.performAndWait { clock.advance(by: .seconds(35)) }
      #expect(await ticks.next() == start + .seconds(40), "missed ticks are one")
    }
  }
}
