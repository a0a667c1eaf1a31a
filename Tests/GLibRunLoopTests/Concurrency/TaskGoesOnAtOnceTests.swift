import GLibRunLoop
import Testing

@Suite struct TaskGoesOnAtOnceTests {
  /// A task that waits to be let go.
  private final class Waiting: @unchecked Sendable {
    // Used on the loop's thread only.
    var task: CheckedContinuation<Void, Never>?
  }

  // Run as isolated to the loop, it would be queued once more, to leave that, and go on a pass later.
  @Test("C3 a task that prefers the loop goes on in the first pass after its wait is over", arguments: Driver.allCases)
  func firstPass(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      let waiting = Waiting()
      var passes = 0
      Task(executorPreference: drive.loop) {
        await withCheckedContinuation { waiting.task = $0 }
        log.append("task")
      }
      let observer = GRunLoop.Observer(activities: .beforeSources) { _, _ in
        guard let task = waiting.task else { return }
        if passes == 0 { task.resume() }
        passes += 1
        if passes == 2 {
          log.append("second pass")
          drive.quit()
        }
      }
      drive.loop.add(observer, forMode: .common)
      drive.loop.add(GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in }, forMode: .common)
      drive.run()
      #expect(log.entries == ["task", "second pass"])
    }
  }
}
