import GLibRunLoop
import Glibc
import Testing

/// The next date was counted from the end of the call, so that each call's length was added to the interval.
/// https://github.com/nodejs/node/issues/21822
/// https://github.com/LadybirdBrowser/ladybird/pull/8393
/// https://github.com/whatwg/html/issues/3151
@Suite struct RepeatingTimerDriftsRegression {
  @Test("T5 slow calls do not push a repeating timer's dates back (Node.js, Ladybird)", arguments: Driver.allCases)
  func keepsStep(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let interval = Duration.milliseconds(20)
      let first = GRunLoop.Instant.now + interval
      var fires = 0
      let timer = GRunLoop.Timer(fireDate: first, interval: interval, repeats: true) { _ in
        fires += 1
        usleep(7_000)
        if fires == 8 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      let next = timer.fireDate - first
      timer.invalidate()
      #expect(next >= interval * 8)
      #expect(Int(next / .nanoseconds(1)) % 20_000_000 == 0, "the dates are out of step")
    }
  }
}
