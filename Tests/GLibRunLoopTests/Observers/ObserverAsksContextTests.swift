import CGLib
import GLibRunLoop
import Testing

@Suite struct ObserverAsksContextTests {
  typealias Activities = GRunLoop.Activities

  @Test(
    "O7 an observer that asks whether anything is pending, or iterates, keeps no loop awake",
    arguments: Driver.allCases, [.beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting] as [Activities])
  func staysAsleep(_ driver: Driver, activity: Activities) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let context = drive.loop.context
      for iterates in [false, true] {
        var (passes, sleeps) = (0, 0)
        let asks = GRunLoop.Observer(activities: activity) { _, _ in
          if iterates { g_main_context_iteration(context, 0) } else { _ = g_main_context_pending(context) }
        }
        let counts = GRunLoop.Observer(activities: [.beforeTimers, .beforeWaiting], order: 1) { _, activity in
          if activity == .beforeTimers { passes += 1 } else { sleeps += 1 }
        }
        drive.loop.add(asks, forMode: .default)
        drive.loop.add(counts, forMode: .default)
        drive.run(for: .milliseconds(50))
        asks.invalidate()
        counts.invalidate()
        // A spinning loop makes tens of thousands.
        #expect(passes < 50, "\(driver), \(activity), iterates \(iterates)")
        #expect(sleeps > 0)
      }
    }
  }

  @Test("O7 nor does it lose a turn", arguments: Driver.allCases)
  func losesNothing(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let context = drive.loop.context
      let observer = GRunLoop.Observer(activities: .all) { _, _ in _ = g_main_context_pending(context) }
      drive.loop.add(observer, forMode: .default)
      var (fired, foreign) = (0, 0)
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in fired += 1 }
      drive.loop.add(timer, forMode: .default)
      Foreign.timeout(milliseconds: 1) {
        foreign += 1
        if fired >= 5 && foreign >= 5 { drive.quit() }
        return fired < 5 || foreign < 5
      }.attach(to: context)
      drive.run()
      #expect(fired >= 5 && foreign >= 5)
      observer.invalidate()
      timer.invalidate()
    }
  }
}
