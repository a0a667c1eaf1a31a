import GLibRunLoop
import Glibc
import Testing

/// After the program had stalled, or the machine slept, a repeating timer called once for every interval that had
/// passed, one after the other.
/// https://github.com/d3/d3-timer/issues/25
/// https://github.com/DDtMM/angular-signal-generators/issues/87
@Suite struct TimerBurstAfterStallRegression {
  @Test("T5, T13 what was missed during a stall is one call (setInterval)", arguments: Driver.allCases)
  func once(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      // Ten dates lie in the past; the next is far off.
      let interval = Duration.seconds(1000)
      let first = GRunLoop.Instant.now - .seconds(9_500)
      var fires = 0
      let timer = GRunLoop.Timer(fireDate: first, interval: interval, repeats: true) { _ in fires += 1 }
      drive.loop.add(timer, forMode: .default)
      for _ in 0..<3 { drive.poll() }
      #expect(fires == 1)
      #expect(timer.fireDate == first + interval * 10)
      timer.invalidate()
    }
  }

  @Test("T5 a handler that stalls is not called again for what it missed itself", arguments: Driver.allCases)
  func stallingHandler(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let interval = Duration.milliseconds(30)
      let first = GRunLoop.Instant.now + interval
      var steps: [Int] = []
      let timer = GRunLoop.Timer(fireDate: first, interval: interval, repeats: true) { _ in
        steps.append(Int((GRunLoop.Instant.now - first) / interval))
        if steps.count == 1 { usleep(200_000) }
        if steps.count == 3 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      timer.invalidate()
      // The second call is for all that was missed; the third is not in the same interval.
      #expect(steps[1] >= steps[0] + 6)
      #expect(steps[2] > steps[1])
    }
  }
}
