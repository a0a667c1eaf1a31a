import GLibRunLoop
import Glibc
import Testing

/// A timer's date was counted from when the loop had last looked at the clock, or rounded down: it came too early.
/// https://github.com/libuv/libuv/issues/1068
/// https://github.com/joyent/libuv/issues/678
/// https://github.com/libuv/libuv/issues/4773
@Suite struct TimerEarlyByStaleClockRegression {
  @Test(
    "T1, T2, P4 a delay begins when it is asked for, not when the loop last looked (libuv)",
    arguments: Driver.allCases)
  func afterLongCall(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = BytePipe()
      pipe.put()
      var waits: [Duration] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { source, _ in
        source.invalidate()
        usleep(60_000)
        let asked = GRunLoop.Instant.now
        let timer = GRunLoop.Timer(interval: .milliseconds(40)) { _ in
          waits.append(GRunLoop.Instant.now - asked)
          if waits.count == 2 { drive.quit() }
        }
        drive.loop.add(timer, forMode: .default)
        nonisolated(unsafe) let note = {
          waits.append(GRunLoop.Instant.now - asked)
          if waits.count == 2 { drive.quit() }
        }
        drive.loop.perform(after: .milliseconds(40)) { note() }
      }
      drive.loop.add(source, forMode: .default)
      drive.run()
      #expect(waits.count == 2)
      #expect(waits.allSatisfy { $0 >= .milliseconds(40) })
    }
  }

  @Test("T1, T8 no timer comes a fraction of a millisecond early", arguments: Driver.allCases)
  func fractions(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var early: [Duration] = []
      var count = 0
      func next() {
        let interval = Duration.microseconds(1000 + count % 10 * 37)
        let asked = GRunLoop.Instant.now
        let timer = GRunLoop.Timer(interval: interval) { _ in
          let waited = GRunLoop.Instant.now - asked
          if waited < interval { early.append(interval - waited) }
          count += 1
          // Ask at another point of the millisecond each time.
          usleep(UInt32(count % 7 * 100))
          if count == 100 { drive.quit() } else { next() }
        }
        drive.loop.add(timer, forMode: .default)
      }
      next()
      drive.run()
      #expect(count == 100)
      #expect(early.isEmpty)
    }
  }
}
