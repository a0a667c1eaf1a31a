import GLibRunLoop
import Testing

/// The time-out for the wait had been read already when a timer was added, and nobody read it again: the timer came
/// with the next event of another kind.
/// https://github.com/libuv/libuv/pull/3299
/// https://github.com/libuv/libuv/pull/3308
/// https://github.com/Upipe/upipe/pull/1163
@Suite struct LateTimerMissedRegression {
  enum Place: CaseIterable, Sendable { case beforeTheSleep, otherThread, foreignCallback, lowForeignCallback }

  @Test(
    "T2, O6, R7 a timer added after the time-out was read fires (libuv, Electron)",
    arguments: Driver.allCases, Place.allCases)
  func fires(_ driver: Driver, _ place: Place) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let addTimer: @Sendable () -> Void = {
        let timer = GRunLoop.Timer(
          interval: .milliseconds(1),
          sendableHandler: { _ in
            log.append("timer")
            drive.quit()
          })
        loop.add(timer, forMode: .default)
      }
      // The time-out that is read first.
      let far = GRunLoop.Timer(interval: .seconds(20)) { _ in
        log.append("late")
        drive.quit()
      }
      loop.add(far, forMode: .default)
      var other: TestThread?
      switch place {
      case .beforeTheSleep:
        loop.add(
          GRunLoop.Observer(activities: .beforeWaiting, repeats: false) { _, _ in addTimer() }, forMode: .default)
      case .otherThread:
        other = TestThread {
          eventually { loop.isWaiting }
          addTimer()
        }
      case .foreignCallback:
        Foreign.timeout(milliseconds: 2) {
          addTimer()
          return false
        }.attach(to: loop.context)
      case .lowForeignCallback:
        Foreign.idle(priority: 200) {
          addTimer()
          return false
        }.attach(to: loop.context)
      }
      drive.run()
      other?.join()
      far.invalidate()
      #expect(log.entries == ["timer"])
    }
  }
}
