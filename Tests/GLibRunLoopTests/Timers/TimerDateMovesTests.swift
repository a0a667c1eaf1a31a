import GLibRunLoop
import Testing

@Suite struct TimerDateMovesTests {
  @Test("T2 a timer made with an interval first fires one interval later, never at once", arguments: Driver.allCases)
  func firstDate(_ driver: Driver) throws {
    try onLoopThread {
      let drive = Drive(driver)
      for repeats in [false, true] {
        let before = GRunLoop.Instant.now
        var calls = 0
        let timer = GRunLoop.Timer(interval: .seconds(1000), repeats: repeats) { _ in calls += 1 }
        #expect(timer.fireDate >= before + .seconds(1000) && timer.fireDate <= .now + .seconds(1000))
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
        #expect(date >= made + .milliseconds(10))
      }
    }
  }

  @Test("T2 another thread moves a date to sooner: the sleeping loop wakes for it", arguments: Driver.allCases)
  func soonerFromAnotherThread(_ driver: Driver) throws {
    try onLoopThread {
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
  func laterFromAnotherThread(_ driver: Driver) throws {
    try onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: .now) { _ in calls += 1 }
      let waiting = GRunLoop.Timer(interval: .milliseconds(10)) { _ in calls += 1 }
      let mover = GRunLoop.Source { _ in
        TestThread {
          timer.fireDate = .distantFuture
          waiting.fireDate = .now + .seconds(1000)
        }.join()
      }
      for item in [timer, waiting, mover] as [GRunLoop.Item] { drive.loop.add(item, forMode: .default) }
      // Sources come before timers in a pass.
      mover.signal()
      drive.run(for: .milliseconds(30))
      #expect(calls == 0)
      #expect(timer.fireDate == .distantFuture && timer.isValid && waiting.isValid)
    }
  }

  @Test("T2 moved inside its own call-back, to sooner", arguments: Driver.allCases)
  func soonerInOwnCallBack(_ driver: Driver) throws {
    try onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      var asked = GRunLoop.Instant.distantPast
      let timer = GRunLoop.Timer(fireDate: .now, interval: .seconds(1000), repeats: true) { timer in
        #expect(.now >= asked)
        calls += 1
        asked = .now + .milliseconds(calls)
        timer.fireDate = asked
        #expect(timer.fireDate == asked)
        if calls == 5 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(calls == 5)
      #expect(timer.fireDate == asked)
    }
  }

  @Test("T2 moved inside its own call-back, to later", arguments: Driver.allCases)
  func laterInOwnCallBack(_ driver: Driver) throws {
    try onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let date = GRunLoop.Instant.now + .seconds(1000)
      let timer = GRunLoop.Timer(interval: .microseconds(500), repeats: true) { timer in
        calls += 1
        if calls == 2 { timer.fireDate = date }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run(for: .milliseconds(20))
      #expect(calls == 2)
      #expect(timer.fireDate == date)
    }
  }

  @Test("T2, T5 the dates after a move follow from the one that was set", arguments: Driver.allCases)
  func laterDatesFollow(_ driver: Driver) throws {
    try onLoopThread {
      let drive = Drive(driver)
      let step = Duration.milliseconds(2)
      var calls = 0
      var base = GRunLoop.Instant.now
      let timer = GRunLoop.Timer(interval: step, repeats: true) { timer in
        calls += 1
        if calls == 2 {
          base = .now + .microseconds(700)
          timer.fireDate = base
        }
        if calls == 5 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(isWhole(base.duration(to: timer.fireDate), of: step))
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
