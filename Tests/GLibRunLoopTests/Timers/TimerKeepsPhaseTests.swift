import GLibRunLoop
import Testing

@Suite struct TimerKeepsPhaseTests {
  @Test("T5 dates are first + k·interval, however late the call-backs were", arguments: Driver.allCases)
  func phase(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      let first = GRunLoop.Instant.now + .milliseconds(2)
      let step = Duration.nanoseconds(1_234_567)
      var calls = 0
      var lastDate = first - step
      let timer = GRunLoop.Timer(fireDate: first, interval: step, repeats: true) { timer in
        // During the call it still shows the date that it fires for.
        #expect(timer.fireDate > lastDate && timer.fireDate <= clock.now)
        #expect(isWhole(first.duration(to: timer.fireDate), of: step))
        lastDate = timer.fireDate
        calls += 1
        // Now and then the call takes longer than some intervals.
        if calls % 3 == 0 { clock.spend(step * 3 + .microseconds(300)) }
        if calls == 12 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(isWhole(first.duration(to: timer.fireDate), of: step))
      // The twelfth call alone took three intervals: the next date is the first one after its end.
      #expect(timer.fireDate == lastDate + step * 4)
    }
  }

  @Test("T5 missed fires collapse into one", arguments: Driver.allCases)
  func collapse(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let step = Duration.seconds(100)
      // A thousand intervals ago.
      let first = GRunLoop.Instant.now - step * 1000 - .seconds(50)
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: first, interval: step, repeats: true) { _ in calls += 1 }
      clock.loop.add(timer, forMode: .default)
      clock.advance(by: .milliseconds(10), through: driver.mover)
      #expect(calls == 1)
      #expect(timer.fireDate > .now && timer.fireDate <= .now + step)
      #expect(isWhole(first.duration(to: timer.fireDate), of: step))
    }
  }

  @Test("T5 fires missed during a long call collapse into one", arguments: Driver.allCases)
  func collapseAfterALongCall(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      let step = Duration.milliseconds(20)
      var dates: [GRunLoop.Instant] = []
      let timer = GRunLoop.Timer(interval: step, repeats: true) { timer in
        dates.append(timer.fireDate)
        if dates.count == 1 { clock.spend(step * 3 + step / 2) }
        if dates.count == 2 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      // Nothing is made up for: the second call is for a date after the end of the first, in phase.
      #expect(dates[1] == dates[0] + step * 4)
    }
  }

  @Test("T5 the next date is computed in constant time", arguments: Driver.allCases)
  func constantTime(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      // The wall clock is some 10¹⁸ ns old; counting these intervals would take years.
      let first = GRunLoop.Instant(nanoseconds: 1, on: .wall)
      let step = Duration.nanoseconds(7)
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: first, interval: step, repeats: true) { timer in
        calls += 1
        if calls == 100 {
          timer.invalidate()
          drive.quit()
        }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(calls == 100)
      #expect(isWhole(first.duration(to: timer.fireDate), of: step))
    }
  }
}
