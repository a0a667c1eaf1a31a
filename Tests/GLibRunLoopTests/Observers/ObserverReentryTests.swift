import GLibRunLoop
import Testing

@Suite struct ObserverReentryTests {
  private static let activities: [GRunLoop.Activities] = [.beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting]

  @Test(
    "O3 one that runs the loop is not called by that run, the others are",
    arguments: pairs(Driver.allCases, activities))
  func nestedRun(_ driver: Driver, _ activity: GRunLoop.Activities) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      var isOutermost = true
      var hasSlept = false
      let nesting = GRunLoop.Observer(activities: activity) { _, _ in
        #expect(isOutermost, "called while it is being called")
        isOutermost = false
        log.append("[")
        // It goes on until it has slept, so that it comes by every activity: a slow machine finds the timer due at once.
        hasSlept = false
        let end = GRunLoop.Timer(interval: .milliseconds(2), repeats: true) { _ in if hasSlept { loop.stop() } }
        loop.add(end, forMode: .default)
        #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped)
        end.invalidate()
        log.append("]")
        isOutermost = true
        drive.quit()
      }
      loop.add(nesting, forMode: .default)
      let other = GRunLoop.Observer(activities: activity, order: 1) { _, _ in log.append("other") }
      loop.add(other, forMode: .default)
      loop.add(GRunLoop.Observer(activities: .afterWaiting, order: 2) { _, _ in hasSlept = true }, forMode: .default)
      // For a pass that has slept.
      loop.add(GRunLoop.Timer(interval: .milliseconds(2), repeats: true) { _ in }, forMode: .default)
      drive.run()
      let nested = log.entries.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
      #expect(!nested.isEmpty && nested.allSatisfy { $0 == "other" })
      #expect(log.entries.last == "other", "its call-out goes on after the nested run")
    }
  }

  @Test("O3 after the nested run it is called as before", arguments: Driver.allCases)
  func callableAgain(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let nesting = GRunLoop.Observer(activities: .beforeTimers) { _, _ in
        calls += 1
        drive.loop.run(mode: .default, for: .zero)
        if calls == 3 { drive.quit() } else { drive.loop.wakeUp() }
      }
      drive.loop.add(nesting, forMode: .default)
      drive.run()
      #expect(calls == 3)
    }
  }
}
