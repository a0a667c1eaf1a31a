import GLibRunLoop
import Testing

@Suite struct TimerDateMovesTests {
  @Test("T2 a timer made with an interval first fires one interval later, never at once", arguments: Driver.allCases)
  func firstDate(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      for repeats in [false, true] {
        let before = GRunLoop.Instant.now
        var calls = 0
        let timer = GRunLoop.Timer(interval: .seconds(1000), repeats: repeats) { _ in calls += 1 }
        #expect(timer.fireDate == before + .seconds(1000))
        drive.loop.add(timer, forMode: .default)
        for _ in 0..<3 { drive.poll() }
        #expect(calls == 0)
        timer.invalidate()

        let made = GRunLoop.Instant.now
        var fired: GRunLoop.Instant?
        let short = GRunLoop.Timer(interval: .milliseconds(10), repeats: repeats) { timer in
          fired = .now
          timer.invalidate()
          drive.quit()
        }
        drive.loop.add(short, forMode: .default)
        drive.run()
        let date = try #require(fired)
        #expect(date == made + .milliseconds(10))
      }
    }
  }

  @Test("T2 another thread moves a date to sooner: the sleeping loop wakes for it", arguments: Driver.allCases)
  func soonerFromAnotherThread(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let rounds = 20
      let fired = Gate<Void>()
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: .distantFuture, interval: .seconds(1000), repeats: true) { _ in
        calls += 1
        fired.open()
        if calls == rounds { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      let loop = drive.loop
      let thread = TestThread {
        for _ in 0..<rounds {
          waitUntilAsleep(loop)
          let date = GRunLoop.Instant.now + .milliseconds(1)
          timer.fireDate = date
          #expect(timer.fireDate >= date)
          fired.wait()
        }
      }
      drive.run()
      thread.join()
      #expect(calls == rounds)
    }
  }

  @Test("T2 another thread moves a date to later, even one that has come: it does not fire", arguments: Driver.allCases)
  func laterFromAnotherThread(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: .now) { _ in calls += 1 }
      let waiting = GRunLoop.Timer(interval: .milliseconds(10)) { _ in calls += 1 }
      let mover = GRunLoop.Source { _ in
        TestThread {
          timer.fireDate = .distantFuture
          waiting.fireDate = clock.now + .seconds(1000)
        }.join()
      }
      for item in [timer, waiting, mover] as [GRunLoop.Item] { loop.add(item, forMode: .default) }
      // Sources come before timers in a pass.
      mover.signal()
      clock.advance(by: .milliseconds(30), through: driver.mover)
      #expect(calls == 0)
      #expect(timer.fireDate == .distantFuture && timer.isValid && waiting.isValid)
      clock.advance(by: .seconds(1000), through: driver.mover)
      #expect(calls == 1)
    }
  }
}

/// Whether a duration is so many times another one, to the nanosecond.
func isWhole(_ duration: Duration, of step: Duration) -> Bool {
  func nanoseconds(_ duration: Duration) -> Int64 {
    duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
  }
  return nanoseconds(duration) % nanoseconds(step) == 0
}
