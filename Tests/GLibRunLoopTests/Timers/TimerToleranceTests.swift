import GLibRunLoop
import Testing

@Suite struct TimerToleranceTests {
  @Test("T7 never early, and timers whose windows overlap share one wake-up", arguments: Driver.allCases)
  func sharedWakeUp(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let start = GRunLoop.Instant.now + .milliseconds(5)
      var sleeps = 0
      var calls = 0
      let count = 20
      for index in 0..<count {
        let date = start + .microseconds(500 * index)
        // The first window closes after the last one has opened.
        let timer = GRunLoop.Timer(fireDate: date, tolerance: .milliseconds(15)) { _ in
          #expect(.now >= date)
          calls += 1
          if calls == count { drive.quit() }
        }
        drive.loop.add(timer, forMode: .default)
      }
      let watch = GRunLoop.Observer(activities: .afterWaiting) { _, _ in sleeps += 1 }
      drive.loop.add(watch, forMode: .default)
      drive.run()
      #expect(calls == count)
      // One; and one more where a sleep was cut short by something else. Without tolerance there would be twenty.
      #expect(sleeps <= 2)
    }
  }

  @Test("T7 a tolerance does not delay a timer beyond its window", arguments: Driver.allCases)
  func notBeyondTheWindow(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      var log: [String] = []
      let watch = GRunLoop.Observer(activities: .beforeWaiting) { _, _ in if !log.isEmpty { log.append("sleep") } }
      drive.loop.add(watch, forMode: .default)
      let now = GRunLoop.Instant.now
      // Without the end of its window it would wait for the other one, or for ever.
      let tolerant = GRunLoop.Timer(fireDate: now + .milliseconds(5), tolerance: .milliseconds(5)) { _ in
        log.append("tolerant")
      }
      let late = GRunLoop.Timer(fireDate: now + .seconds(3), tolerance: .seconds(1)) { _ in
        log.append("late")
        drive.quit()
      }
      drive.loop.add(late, forMode: .default)
      drive.loop.add(tolerant, forMode: .default)
      drive.run()
      #expect(log == ["tolerant", "sleep", "late"])
      #expect(clock.now == now + .seconds(4))
    }
  }

  @Test("T7 a tolerant timer comes with the next one that cannot wait", arguments: Driver.allCases)
  func comesWithAnother(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      var log: [String] = []
      let now = clock.now
      let strict = GRunLoop.Timer(fireDate: now + .milliseconds(100)) { _ in
        log.append("strict")
        drive.quit()
      }
      let tolerant = GRunLoop.Timer(fireDate: now + .milliseconds(50), tolerance: .seconds(1000)) { _ in
        log.append("tolerant")
      }
      let watch = GRunLoop.Observer(activities: .beforeWaiting) { _, _ in if !log.isEmpty { log.append("sleep") } }
      for item in [strict, tolerant, watch] as [GRunLoop.Item] { drive.loop.add(item, forMode: .default) }
      drive.run()
      #expect(log == ["tolerant", "strict"])
      #expect(clock.now == strict.fireDate)
    }
  }

  @Test("T7 the tolerance does not shift a repeating timer's phase", arguments: Driver.allCases)
  func phase(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      var calls = 0
      let step = Duration.milliseconds(3)
      let timer = GRunLoop.Timer(interval: step, repeats: true, tolerance: .milliseconds(2)) { timer in
        #expect(clock.now == timer.fireDate + .milliseconds(2))
        calls += 1
        if calls == 6 { drive.quit() }
      }
      let first = timer.fireDate
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(timer.fireDate == first + step * 6)
    }
  }
}
