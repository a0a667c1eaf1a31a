import GLibRunLoop
import Testing

@Suite struct TimersExampleTests {
  private final class Dates {
    var first: [Duration] = []
    var second: [Duration] = []
    var always: [Duration] = []

    /// Adds the sample's timers at the clock's present.
    init(_ clock: GRunLoop.ManualClock) {
      let start = clock.now
      Timers.add(
        first: { self.first.append(clock.now - start) }, second: { self.second.append(clock.now - start) },
        always: { self.always.append(clock.now - start) })
    }
  }

  @Test(
    "E4, T1, T2, T5 one timer has a first date, one is made scheduled, each fires at its dates",
    arguments: Driver.allCases)
  func dates(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let dates = Dates(clock)
      clock.advance(by: .seconds(2), through: driver.mover)
      #expect(dates.first == (10...20).map { .milliseconds(100) * $0 })
      #expect(dates.second == (1...10).map { .milliseconds(200) * $0 })
      #expect(dates.always == (1...4).map { .milliseconds(500) * $0 })
    }
  }

  @Test("E4, M4, T3 in a common mode only the timer of the common modes goes on", arguments: Driver.allCases)
  func commonModes(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let dates = Dates(clock)
      if driver == .glib { clock.loop.hostMode = .modalPanel }
      clock.advance(by: .seconds(2), through: driver == .glib ? .iteration : .run(.modalPanel))
      #expect(dates.first.isEmpty && dates.second.isEmpty)
      #expect(dates.always == (1...4).map { .milliseconds(500) * $0 })
    }
  }
}
