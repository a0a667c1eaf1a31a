import GLibRunLoop
import Glibc
import Synchronization
import Testing

@Suite(.serialized) struct StopFromThreadTests {
  /// How many runs have begun; negative when the test has given up.
  private final class Runs: Sendable {
    let begun = Atomic<Int>(0)
  }

  @Test("R5, R7 a stop from another thread is never lost, whatever the run is about to do", arguments: [true, false])
  func hammer(observed: Bool) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let runs = Runs()
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      let activities: GRunLoop.Activities = observed ? [.entry, .beforeWaiting] : .entry
      loop.add(
        GRunLoop.Observer(activities: activities) { _, activity in
          if activity == .entry { runs.begun.add(1, ordering: .sequentiallyConsistent) }
        }, forMode: .default)
      let stopper = TestThread {
        for run in 1... {
          var begun = 0
          while begun < run {
            begun = runs.begun.load(ordering: .sequentiallyConsistent)
            if begun < 0 { return }
            sched_yield()
          }
          // At another point of the run each time.
          for _ in 0..<(run % 400) { _ = runs.begun.load(ordering: .relaxed) }
          loop.stop()
        }
      }
      for run in Rounds(20_000) {
        let result = loop.run(mode: .default, for: .seconds(20))
        guard result == .stopped else {
          Issue.record("the stop of run \(run) was lost: \(result)")
          break
        }
      }
      runs.begun.store(.min, ordering: .sequentiallyConsistent)
      stopper.join()
    }
  }
}
