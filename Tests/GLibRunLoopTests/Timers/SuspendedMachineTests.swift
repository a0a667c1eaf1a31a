import GLibRunLoop
import Testing

/// A suspended machine: the clock that counts that time jumps, the monotonic one does not.
@Suite struct SuspendedMachineTests {
  @Test(
    "T9 after a suspend continuous timers whose date passed are due, once; monotonic ones wait",
    arguments: Driver.allCases)
  func resumed(_ driver: Driver) async throws {
    try await onLoopThread {
      let clock = TurnedClock(.continuous)
      let drive = Drive(driver)
      var calls = 0
      let continuous = GRunLoop.Timer(
        fireDate: .now(on: .continuous) + .seconds(60), interval: .seconds(60), repeats: true
      ) { timer in
        calls += 1
        #expect(.now(on: .continuous) >= timer.fireDate)
        drive.quit()
      }
      let monotonic = GRunLoop.Timer(fireDate: .now + .seconds(60)) { _ in Issue.record("the monotonic timer fired") }
      drive.loop.add(continuous, forMode: .default)
      drive.loop.add(monotonic, forMode: .default)
      let loop = drive.loop
      let machine = TestThread {
        waitUntilAsleep(loop)
        clock.turn(.seconds(3600))
      }
      drive.run()
      machine.join()
      drive.poll()
      #expect(calls == 1)
      let next = continuous.fireDate - .now(on: .continuous)
      #expect(next > .zero && next <= .seconds(60))
      continuous.invalidate()
      monotonic.invalidate()
    }
  }
}
