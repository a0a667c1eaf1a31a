import GLibRunLoop
import Testing

/// A descriptor that was added from a call-back, after the set to wait for had been made, was not in that set.
/// https://github.com/libuv/libuv/issues/1565
/// https://github.com/libuv/libuv/pull/3234
@Suite struct LateDescriptorMissedRegression {
  enum Place: CaseIterable, Sendable { case beforeTheSleep, otherThread, foreignCallback }

  @Test(
    "S5, O6, R7 a descriptor added after the wait was prepared is heard (libuv)",
    arguments: Driver.allCases, Place.allCases)
  func heard(_ driver: Driver, _ place: Place) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let pipe = BytePipe()
      let start = GRunLoop.Instant.now
      let addSource: @Sendable () -> Void = {
        let source = GRunLoop.DescriptorSource(
          fileDescriptor: pipe.readEnd, events: .readable,
          sendableHandler: { source, _ in
            source.invalidate()
            drive.quit()
          })
        loop.add(source, forMode: .default)
      }
      var other: TestThread?
      switch place {
      case .beforeTheSleep:
        pipe.put()
        loop.add(
          GRunLoop.Observer(activities: .beforeWaiting, repeats: false) { _, _ in addSource() }, forMode: .default)
      case .otherThread:
        other = TestThread {
          eventually { loop.isWaiting }
          addSource()
          // Ready only after it is there.
          pipe.put()
        }
      case .foreignCallback:
        pipe.put()
        Foreign.timeout(milliseconds: 2) {
          addSource()
          return false
        }.attach(to: loop.context)
      }
      drive.run(limit: .seconds(60))
      other?.join()
      #expect(GRunLoop.Instant.now - start < .seconds(50))
    }
  }
}
