import GLibRunLoop
import Testing

@Suite struct TimerMovesItselfTests {
  @Test("T2 moved inside its own call-back, to sooner", arguments: Driver.allCases)
  func soonerInOwnCallBack(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      var calls = 0
      var asked = clock.now
      let timer = GRunLoop.Timer(fireDate: .now, interval: .seconds(1000), repeats: true) { timer in
        #expect(.now == asked)
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
  func laterInOwnCallBack(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      var calls = 0
      let date = GRunLoop.Instant.now + .seconds(1000)
      let timer = GRunLoop.Timer(interval: .microseconds(500), repeats: true) { timer in
        calls += 1
        if calls == 2 {
          timer.fireDate = date
          drive.quit()
        }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      clock.advance(by: .seconds(900), through: driver.mover)
      #expect(calls == 2)
      #expect(timer.fireDate == date)
    }
  }

  @Test("T2, T5 the dates after a move follow from the one that was set", arguments: Driver.allCases)
  func laterDatesFollow(_ driver: Driver) async throws {
    try await inManualTime { clock in
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
      #expect(timer.fireDate == base + step * 3)
    }
  }
}
