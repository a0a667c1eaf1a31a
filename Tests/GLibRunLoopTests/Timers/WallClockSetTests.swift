import GLibRunLoop
import Glibc
import Testing

/// Here the clock is the test's own, since nobody may set the machine's.
@Suite struct WallClockSetTests {
  @Test(
    "T9 the clock is set forward, past the date, while the loop sleeps: it fires at once", arguments: Driver.allCases)
  func forward(_ driver: Driver) async throws {
    try await onLoopThread {
      let clock = TurnedClock(.wall)
      let drive = Drive(driver)
      let start = GRunLoop.Instant.now
      let timer = GRunLoop.Timer(fireDate: .now(on: .wall) + .seconds(3600)) { timer in
        #expect(.now(on: .wall) >= timer.fireDate)
        drive.quit()
      }
      drive.loop.add(timer, forMode: .default)
      let loop = drive.loop
      let setter = TestThread {
        waitUntilAsleep(loop)
        clock.turn(.seconds(3601))
      }
      drive.run()
      setter.join()
      #expect(!timer.isValid)
      #expect(.now - start < .seconds(30))
    }
  }

  @Test(
    "T9 the clock is set forward to just before the date: it fires when the new clock shows it",
    arguments: Driver.allCases)
  func justBefore(_ driver: Driver) async throws {
    try await onLoopThread {
      let clock = TurnedClock(.wall)
      let drive = Drive(driver)
      let timer = GRunLoop.Timer(fireDate: .now(on: .wall) + .seconds(3600)) { timer in
        #expect(.now(on: .wall) >= timer.fireDate)
        drive.quit()
      }
      drive.loop.add(timer, forMode: .default)
      let loop = drive.loop
      let setter = TestThread {
        waitUntilAsleep(loop)
        for _ in 0..<4 { clock.turn(.milliseconds(899_990)) }
      }
      drive.run()
      setter.join()
      #expect(!timer.isValid)
    }
  }

  @Test(
    "T9 the clock is set back while the loop sleeps: the date is later, and never early", arguments: Driver.allCases)
  func back(_ driver: Driver) async throws {
    try await onLoopThread {
      let clock = TurnedClock(.wall)
      let drive = Drive(driver)
      let loop = drive.loop
      inTime(from: .milliseconds(50)) { time in
        let log = Log(of: String.self)
        var isBack = false
        let wall = GRunLoop.Timer(
          fireDate: .now(on: .wall) + time,
          sendableHandler: { timer in
            #expect(.now(on: .wall) >= timer.fireDate)
            log.append("wall")
            if log.entries.contains("monotonic") { drive.quit() }
          })
        // Timers of the other clocks go on as they were.
        let other = GRunLoop.Timer(fireDate: .now + time * 2) { _ in
          log.append("monotonic")
          guard wall.isValid else { return drive.quit() }
          clock.turn(.seconds(3600))
          isBack = true
        }
        loop.add(wall, forMode: .default)
        loop.add(other, forMode: .default)
        let setter = TestThread {
          while !loop.isWaiting && wall.isValid { sched_yield() }
          clock.turn(.seconds(-3600))
          log.append("set")
        }
        drive.run(limit: .seconds(100))
        setter.join()
        if !isBack { clock.turn(.seconds(3600)) }
        // Else the date had come before the clock was set.
        guard log.entries.first == "set" else { return false }
        #expect(log.entries == ["set", "monotonic", "wall"])
        return true
      }
    }
  }

  @Test("T9, T5 a repeating timer keeps its phase; what the clock jumped over is one call", arguments: Driver.allCases)
  func phase(_ driver: Driver) async throws {
    try await onLoopThread {
      let clock = TurnedClock(.wall)
      let drive = Drive(driver)
      let first = GRunLoop.Instant.now(on: .wall) + .milliseconds(10)
      let step = Duration.milliseconds(10)
      var dates: [GRunLoop.Instant] = []
      let timer = GRunLoop.Timer(fireDate: first, interval: step, repeats: true) { timer in
        dates.append(timer.fireDate)
        if dates.count == 2 { clock.turn(.seconds(3600) + .milliseconds(3)) }
        if dates.count == 5 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      timer.invalidate()
      #expect(dates.count == 5)
      for date in dates { #expect((date - first).components.attoseconds % 10_000_000_000_000_000 == 0) }
      #expect(dates[2] - dates[1] >= .seconds(3600))
      #expect(dates[3] - dates[2] < .seconds(3600))
    }
  }

  @Test("T9 only the clock that was set moves: dates on the other ones stay", arguments: Driver.allCases)
  func others(_ driver: Driver) async throws {
    try await onLoopThread {
      let clock = TurnedClock(.wall)
      let drive = Drive(driver)
      let far = [GRunLoop.Timebase.monotonic, .continuous].map { timebase in
        GRunLoop.Timer(fireDate: .now(on: timebase) + .seconds(3000)) { _ in
          Issue.record("a timer of \(timebase) fired")
        }
      }
      let wall = GRunLoop.Timer(fireDate: .now(on: .wall) + .seconds(3600)) { _ in drive.quit() }
      for timer in far + [wall] { drive.loop.add(timer, forMode: .default) }
      drive.loop.perform(inModes: [.default], after: .milliseconds(5)) { clock.turn(.seconds(7200)) }
      drive.run()
      far.forEach { $0.invalidate() }
    }
  }
}
