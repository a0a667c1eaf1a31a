import GLibRunLoop
import Testing

@Suite struct HourOfTimersTests {
  @Test("T1, T5, T8 an hour of timers takes a moment, and each fires exactly at its date", arguments: Driver.allCases)
  func exact(_ driver: Driver) async throws {
    let began = ContinuousClock.now
    try await inManualTime { clock in
      let start = clock.now
      var dates: [GRunLoop.Instant] = []
      let repeating = GRunLoop.Timer(interval: .seconds(1), repeats: true) { timer in
        #expect(timer.fireDate == .now)
        dates.append(.now)
      }
      var once: GRunLoop.Instant?
      let oneShot = GRunLoop.Timer(interval: .milliseconds(1_800_000) + .nanoseconds(1)) { _ in once = clock.now }
      for timer in [repeating, oneShot] { clock.loop.add(timer, forMode: .common) }
      clock.advance(by: .seconds(3600), through: driver.mover)
      #expect(dates == (1...3600).map { start + .seconds($0) })
      #expect(once == start + .seconds(1800) + .nanoseconds(1))
      #expect(!oneShot.isValid && repeating.fireDate == start + .seconds(3601))
      #expect(clock.now == start + .seconds(3600) && clock.now == .now)
    }
    #expect(ContinuousClock.now - began < .seconds(600))
  }

  @Test("T5 a handler that takes long: missed fires collapse into one, in phase", arguments: Driver.allCases)
  func missed(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let start = clock.now
      var log: [Duration] = []
      let timer = GRunLoop.Timer(interval: .seconds(10), repeats: true) { timer in
        log.append(clock.now - start)
        // The work of this call: in a mode of its own, that has nothing to wait for.
        if log.count == 2 { clock.advance(by: .seconds(34), through: .run("busy")) }
      }
      clock.loop.add(timer, forMode: .default)
      clock.advance(by: .seconds(80), through: driver.mover)
      #expect(log == [10, 20, 60, 70, 80].map { .seconds($0) })
    }
  }

  @Test("T2 a date moved in the timer's own call, and by others, is the date it fires at", arguments: Driver.allCases)
  func moved(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let start = clock.now
      var log: [Duration] = []
      let timer = GRunLoop.Timer(interval: .seconds(10), repeats: true) { timer in
        log.append(clock.now - start)
        if log.count == 1 { timer.fireDate = clock.now + .seconds(3) }
      }
      clock.loop.add(timer, forMode: .default)
      clock.loop.perform(after: .seconds(20)) { timer.fireDate = .now }
      clock.advance(by: .seconds(30), through: driver.mover)
      #expect(log == [10, 13, 20, 30].map { .seconds($0) })
    }
  }
}
