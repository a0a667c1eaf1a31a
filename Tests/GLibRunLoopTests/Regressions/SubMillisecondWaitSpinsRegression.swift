import GLibRunLoop
import Testing

/// A wait of less than a millisecond became a poll without one: the loop raced round before each date of a timer.
/// https://github.com/gnustep/libs-base/pull/791
/// https://github.com/smol-rs/smol/pull/109
@Suite struct SubMillisecondWaitSpinsRegression {
  @Test(
    "R8, T8 the last part of a millisecond before a timer is slept through (GNUstep, smol)",
    arguments: Driver.allCases, [Duration.microseconds(33_333), .microseconds(900)])
  func sleeps(_ driver: Driver, interval: Duration) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var fires = 0
      var passes = 0
      let timer = GRunLoop.Timer(interval: interval, repeats: true) { _ in
        fires += 1
        if fires == 10 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.loop.add(GRunLoop.Observer(activities: .beforeTimers) { _, _ in passes += 1 }, forMode: .default)
      let iterations = Iterations(of: drive.loop.context)
      let turns = iterations.during { drive.run() }
      timer.invalidate()
      // A turn or two for each fire, and some for the beginning.
      #expect(fires == 10)
      #expect(turns < 60)
      #expect(passes < 60)
    }
  }
}
