import GLibRunLoop
import Testing

@Suite struct WaitFollowsItsClockTests {
  @Test(
    "R16, A2 a wait's limit counts time in which the machine slept, and follows a clock that is set",
    arguments: [GRunLoop.Timebase.continuous, .wall])
  func turned(_ timebase: GRunLoop.Timebase) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let clock = TurnedClock(timebase)
      let release = Gate<Void>()
      let task = GRunLoop.BackgroundTask(background: { release.wait() }, post: { (_: Result<Void, any Error>) in })
      task.start()
      // If the limit does not come, the task is over by itself.
      let giveUp = GRunLoop.Timer(interval: .seconds(60)) { _ in release.open() }
      loop.add(giveUp, forMode: .default)
      loop.perform { clock.turn(.seconds(3600)) }
      #expect(!task.wait(until: .now(on: timebase) + .seconds(3600)))
      giveUp.invalidate()
      release.open()
      #expect(task.wait(until: .now(on: timebase) + .seconds(3600)))
    }
  }
}
