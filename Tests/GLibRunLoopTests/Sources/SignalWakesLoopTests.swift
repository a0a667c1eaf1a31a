import GLibRunLoop
import Glibc
import Testing

@Suite struct SignalWakesLoopTests {
  @Test("S2 a signal from another thread wakes a sleeping loop", arguments: Driver.allCases)
  func wakes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let rounds = 50
      let handled = Gate<Void>()
      var calls = 0
      let source = GRunLoop.Source { _ in
        calls += 1
        handled.open()
        if calls == rounds { drive.quit() }
      }
      drive.loop.add(source, forMode: .default)
      let loop = drive.loop
      let thread = TestThread {
        for _ in 0..<rounds {
          waitUntilAsleep(loop)
          source.signal()
          handled.wait()
        }
      }
      drive.run()
      thread.join()
      #expect(calls == rounds)
    }
  }

  @Test("S2 the two-step form: the signal alone lets the loop sleep on, wakeUp ends it", arguments: Driver.allCases)
  func twoSteps(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let handled = Gate<Void>()
      let source = GRunLoop.Source { _ in handled.open() }
      drive.loop.add(source, forMode: .default)
      let loop = drive.loop
      let sleptOn = Log(of: Bool.self)
      let thread = TestThread {
        // A sleep may be cut short by a wake-up of before, so one that lasts is enough.
        for _ in 0..<20 where sleptOn.entries.last != true {
          // The wake-ups of before are over when the loop has come to this.
          _ = try? loop.performAndWait(timeout: .seconds(30)) {}
          waitUntilAsleep(loop)
          source.signal(wakingLoop: false)
          // Time for a wake-up that must not come.
          usleep(20_000)
          sleptOn.append(source.isSignalled && loop.isWaiting)
          loop.wakeUp()
          handled.wait()
        }
        loop.perform { drive.quit() }
      }
      drive.run()
      thread.join()
      #expect(sleptOn.entries.last == true, "\(driver) \(sleptOn.entries)")
    }
  }

  @Test("S2 a signal in a mode that does not run wakes nobody and is held", arguments: Driver.allCases)
  func otherModeIsNotWoken(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      let source = GRunLoop.Source { _ in log.append("source") }
      drive.loop.add(source, forMode: "other")
      let loop = drive.loop
      let thread = TestThread {
        waitUntilAsleep(loop)
        source.signal()
        loop.perform { drive.quit() }
      }
      drive.run()
      thread.join()
      #expect(log.entries == [])
      drive.loop.run(mode: "other", for: .zero)
      #expect(log.entries == ["source"])
    }
  }
}

/// Returns when the loop of another thread has announced that it sleeps; or after a minute, so that a test whose loop is
/// over fails and does not hang.
func waitUntilAsleep(_ loop: GRunLoop) {
  let limit = GRunLoop.Instant.now + .seconds(60)
  while !loop.isWaiting && .now < limit { sched_yield() }
}
