import GLibRunLoop
import Testing

@Suite struct ClockStepsBackTests {
  @Test(
    "T14 a monotonic clock that steps back a little hangs nothing, and makes nothing early", arguments: Driver.allCases)
  func stepsBack(_ driver: Driver) async throws {
    try await onLoopThread {
      let clock = TurnedClock(.monotonic)
      defer { withExtendedLifetime(clock) {} }
      let drive = Drive(driver)
      let pipe = TestPipe()
      var (ticks, reads, early) = (0, 0, 0)
      let timer = GRunLoop.Timer(interval: .milliseconds(2), repeats: true) { timer in
        if timer.fireDate > .now { early += 1 }
        clock.turn(.microseconds(-300))
        ticks += 1
        pipe.write()
        if ticks == 30 { drive.quit() }
      }
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in
        clock.turn(.microseconds(-100))
        pipe.drain()
        reads += 1
      }
      drive.loop.add(timer, forMode: .default)
      drive.loop.add(source, forMode: .default)
      drive.run()
      #expect(ticks == 30 && reads >= 25 && early == 0)
      source.invalidate()
      timer.invalidate()
      // A limit ends a run all the same.
      drive.loop.perform { clock.turn(.milliseconds(-2)) }
      #expect(drive.loop.run(mode: .default, for: .milliseconds(5)) == .timedOut)
    }
  }
}
