import GLibRunLoop
import Testing

@Suite struct JobPriorityTests {
  /// Tasks on one loop that wait to be let go.
  private final class Waiting: @unchecked Sendable {
    // Used on the loop's thread only.
    var tasks: [CheckedContinuation<Void, Never>] = []
  }

  @Test(
    "C3 of the jobs that are queued those of a higher task priority run first, and performs keep their order",
    arguments: Driver.allCases)
  func order(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      let waiting = Waiting()
      let priorities: [(String, TaskPriority)] = [
        ("low", .background), ("high", .high), ("medium", .medium), ("low", .background), ("high", .high),
      ]
      for (name, priority) in priorities {
        Task(executorPreference: drive.loop, priority: priority) {
          await withCheckedContinuation { waiting.tasks.append($0) }
          log.append(name)
          if log.count == 7 { drive.quit() }
        }
      }
      // Their first jobs come by way of other threads; what is let go below is queued in that order at once.
      let all = GRunLoop.Observer(activities: .beforeTimers) { observer, _ in
        guard waiting.tasks.count == priorities.count else { return drive.loop.wakeUp() }
        observer.invalidate()
        drive.loop.perform { log.append("perform 0") }
        for task in waiting.tasks { task.resume() }
        drive.loop.perform { log.append("perform 1") }
      }
      drive.loop.add(all, forMode: .common)
      drive.run()
      let performs = log.entries.filter { $0.hasPrefix("perform") }
      #expect(performs == ["perform 0", "perform 1"])
      #expect(log.entries.filter { !performs.contains($0) } == ["high", "high", "medium", "low", "low"])
    }
  }
}
