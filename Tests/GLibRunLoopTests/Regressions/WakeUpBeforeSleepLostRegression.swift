import GLibRunLoop
import Testing

/// A wake-up that came after the loop had decided to sleep, but before it slept, was dropped.
/// https://github.com/eclipse-platform/eclipse.platform.swt/issues/3053
/// https://github.com/eclipse-platform/eclipse.platform.ui/pull/4297
@Suite struct WakeUpBeforeSleepLostRegression {
  @Test("R7, O4, O5 a wake-up just before the sleep ends it (SWT)", arguments: Driver.allCases, [false, true])
  func ends(_ driver: Driver, fromOtherThread: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let start = GRunLoop.Instant.now
      // The order is that of a GUI's sleep: the decision, the other thread's wake-up, the sleep.
      let decision = GRunLoop.Observer(activities: .beforeWaiting, repeats: false) { _, _ in
        if fromOtherThread { TestThread { loop.wakeUp() }.join() } else { loop.wakeUp() }
      }
      let awake = GRunLoop.Observer(activities: .afterWaiting, repeats: false) { _, _ in drive.quit() }
      loop.add(decision, forMode: .default)
      loop.add(awake, forMode: .default)
      drive.run(limit: .seconds(60))
      #expect(!decision.isValid && !awake.isValid)
      #expect(GRunLoop.Instant.now - start < .seconds(50), "the sleep ended by itself")
    }
  }
}
