import GLibRunLoop
import Testing

@Suite(.patient) struct TickSequenceTests {
  @Test("C6 a timer's dates are an asynchronous sequence", arguments: Driver.allCases)
  func ticks(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let first = GRunLoop.Instant.now + .milliseconds(3)
      var dates: [GRunLoop.Instant] = []
      for await date in loop.ticks(every: .milliseconds(2), from: first) {
        #expect(date <= .now)
        dates.append(date)
        if dates.count == 10 { break }
      }
      // On a slow machine it is one of the next, if nobody asked for the first.
      let late = first.duration(to: dates[0])
      #expect(late >= .zero && late.components.attoseconds % 2_000_000_000_000_000 == 0)
      for (date, next) in zip(dates, dates.dropFirst()) {
        let distance = date.duration(to: next)
        #expect(distance > .zero && distance.components.attoseconds % 2_000_000_000_000_000 == 0, "the phase is kept")
      }
    }
  }

  @Test("C6, T5 dates that pass while nobody asks are one tick", arguments: Driver.allCases)
  func collapse(_ driver: Driver) async throws {
    try await withManualLoop(driver) { loop, clock in
      let first = clock.now + .milliseconds(1)
      var ticks = loop.ticks(every: .milliseconds(1), from: first).makeAsyncIterator()
      for milliseconds in [3, 6] {
        try await loop.performAndWait { clock.advance(by: .milliseconds(3)) }
        #expect(await ticks.next() == first + .milliseconds(milliseconds - 1), "the newest is kept, and no other")
      }
    }
  }

  @Test("C6 without a first date the first tick is one interval after the iteration began; each has its own timer")
  func firstDate() async throws {
    try await withDrivenLoop(.swift) { loop in
      let sequence = loop.ticks(every: .milliseconds(5))
      for _ in 0..<2 {
        let begin = GRunLoop.Instant.now
        var ticks = sequence.makeAsyncIterator()
        let date = try #require(await ticks.next())
        #expect(date >= begin + .milliseconds(5))
      }
    }
  }
}
