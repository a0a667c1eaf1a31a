import GLibRunLoop
import Testing

/// Dates at and near the ends of the clock are dates like any other.
@Suite struct TimerFarDatesTests {
  @Test("T2, T4 dates in the distant past are due at once, in the order added", arguments: Driver.allCases)
  func distantPast(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      for name in ["a", "b", "c"] {
        drive.loop.add(GRunLoop.Timer(fireDate: .distantPast) { _ in log.append(name) }, forMode: .default)
      }
      let almost = GRunLoop.Timer(fireDate: .distantPast + .nanoseconds(1)) { _ in log.append("d") }
      drive.loop.add(almost, forMode: .default)
      let last = GRunLoop.Timer(fireDate: .now) { _ in drive.quit() }
      drive.loop.add(last, forMode: .default)
      drive.run()
      #expect(log == ["a", "b", "c", "d"])
    }
  }

  @Test("T2, T7 a date in the distant past, with a tolerance", arguments: Driver.allCases)
  func distantPastWithTolerance(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: .distantPast, tolerance: .seconds(1)) { _ in calls += 1 }
      loop.add(timer, forMode: .default)
      let repeating = GRunLoop.Timer(
        fireDate: .distantPast, interval: .seconds(1000), repeats: true, tolerance: .seconds(1)
      ) { _ in calls += 1 }
      loop.add(repeating, forMode: .default)
      clock.advance(by: .milliseconds(5), through: driver.mover)
      #expect(calls == 2)
      #expect(repeating.isValid && repeating.fireDate > .now)
    }
  }

  @Test("T2 the distant future never comes, with any tolerance and interval", arguments: Driver.allCases)
  func distantFuture(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      var calls = 0
      let timers = [
        GRunLoop.Timer(fireDate: .distantFuture) { _ in calls += 1 },
        GRunLoop.Timer(fireDate: .distantFuture, tolerance: .seconds(5)) { _ in calls += 1 },
        GRunLoop.Timer(interval: .seconds(Int64.max), repeats: true) { _ in calls += 1 },
        GRunLoop.Timer(interval: .milliseconds(1), repeats: true, tolerance: .seconds(Int64.max)) { _ in },
      ]
      for timer in timers { loop.add(timer, forMode: .default) }
      // A hundred years.
      clock.advance(by: .seconds(100 * 365 * 86_400), through: driver.mover)
      #expect(calls == 0)
      #expect(timers.allSatisfy { $0.isValid })
      timers[2].fireDate = .now
      clock.advance(by: .milliseconds(5), through: driver.mover)
      #expect(calls == 1)
      #expect(timers[2].fireDate > .now + .seconds(1_000_000))
    }
  }
}
