import GLibRunLoop
import Testing

/// With nothing to do, the loop looked up several times a second in case there was something.
/// https://github.com/tokio-rs/mio/issues/289
/// https://github.com/libsdl-org/SDL/issues/3976
/// https://github.com/mitchellh/libxev/issues/4
@Suite struct PeriodicWakeUpsRegression {
  @Test("R8 a loop that only waits for a descriptor sleeps once (mio, SDL)", arguments: Driver.allCases)
  func sleepsOnce(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      var sleeps = 0
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in }
      let observer = GRunLoop.Observer(activities: .beforeWaiting) { _, _ in sleeps += 1 }
      drive.loop.add(source, forMode: .default)
      drive.loop.add(observer, forMode: .default)
      inTime(from: .seconds(1)) { time in
        sleeps = 0
        drive.run(for: time)
        // One, and one more if the timer that ends the run was in the set a little too late for the first.
        #expect(sleeps <= 2)
        return sleeps >= 1
      }
      source.invalidate()
      observer.invalidate()
    }
  }
}
