import GLibRunLoop
import Testing

@Suite struct TimerOneShotTests {
  @Test("T6 a one-shot is valid while its call-back runs, and invalid after", arguments: Driver.allCases)
  func invalidatesItself(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { timer in
        log.append(timer.isValid ? "valid" : "invalid")
        // Also for a nested run, which does not call it again.
        drive.loop.run(mode: .default, for: .milliseconds(5))
        log.append(timer.isValid ? "valid" : "invalid")
      }
      drive.loop.add(timer, forMode: .default)
      let watch = GRunLoop.Observer(activities: .beforeTimers) { _, _ in if !timer.isValid { drive.quit() } }
      drive.loop.add(watch, forMode: .default)
      drive.run()
      #expect(log == ["valid", "valid"])
      #expect(!timer.isValid && !drive.loop.contains(timer, inMode: .default))
      // For good.
      timer.fireDate = .now
      let warnings = CapturedWarnings.during { #expect(!drive.loop.add(timer, forMode: .default)) }
      #expect(warnings.count == 1)
    }
  }

  @Test("T6 fire() calls at once and ends a one-shot", arguments: Driver.allCases)
  func fireEndsAOneShot(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let timer = GRunLoop.Timer(interval: .milliseconds(5)) { timer in
        calls += 1
        #expect(timer.isValid)
      }
      let alone = GRunLoop.Timer(interval: .seconds(1000)) { _ in calls += 10 }
      drive.loop.add(timer, forMode: .default)
      timer.fire()
      #expect(calls == 1 && !timer.isValid)
      alone.fire()
      #expect(calls == 11 && !alone.isValid)
      timer.fire()
      alone.fire()
      drive.run(for: .milliseconds(20))
      #expect(calls == 11)
    }
  }

  @Test("T6 fire() leaves a repeating timer's schedule alone", arguments: Driver.allCases)
  func fireOfARepeatingOne(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var dates: [GRunLoop.Instant] = []
      let timer = GRunLoop.Timer(interval: .milliseconds(10), repeats: true) { timer in
        dates.append(.now)
        if dates.count == 5 { drive.quit() }
      }
      let date = timer.fireDate
      drive.loop.add(timer, forMode: .default)
      for _ in 0..<3 { timer.fire() }
      #expect(dates.count == 3 && timer.isValid && timer.fireDate == date)
      drive.run()
      // Its own first date was kept, and the one after that.
      #expect(dates[3] >= date && dates[4] >= date + .milliseconds(10))
      #expect(isWhole(date.duration(to: timer.fireDate), of: .milliseconds(10)))
    }
  }

  @Test("T6 an interval of zero or less, with repeats, is 0.1 ms", arguments: Driver.allCases)
  func smallestInterval(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      for interval in [Duration.zero, .seconds(-5), .nanoseconds(-1)] {
        let before = GRunLoop.Instant.now
        var dates: [GRunLoop.Instant] = []
        let timer = GRunLoop.Timer(interval: interval, repeats: true) { timer in
          dates.append(timer.fireDate)
          if dates.count == 5 {
            timer.invalidate()
            drive.quit()
          }
        }
        #expect(timer.interval == .microseconds(100))
        #expect(timer.fireDate >= before + .microseconds(100))
        drive.loop.add(timer, forMode: .default)
        drive.run()
        for (date, next) in zip(dates, dates.dropFirst()) {
          #expect(next >= date + .microseconds(100))
          #expect(isWhole(date.duration(to: next), of: .microseconds(100)))
        }
      }
    }
  }

  @Test("T6 a one-shot with an interval of zero or less is due at once, once", arguments: Driver.allCases)
  func zeroOneShot(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      for interval in [Duration.zero, .seconds(-5)] {
        drive.loop.add(GRunLoop.Timer(interval: interval) { _ in calls += 1 }, forMode: .default)
      }
      drive.poll()
      #expect(calls == 2)
      drive.poll()
      #expect(calls == 2)
    }
  }
}
