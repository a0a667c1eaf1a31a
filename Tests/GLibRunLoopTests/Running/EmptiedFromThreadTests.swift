import GLibRunLoop
import Glibc
import Synchronization
import Testing

@Suite(.serialized) struct EmptiedFromThreadTests {
  private final class Runs: Sendable {
    let begun = Atomic<Int>(0)
    let current = Locked<GRunLoop.Source?>(nil)
  }

  @Test(
    "R4, M5 a mode that another thread empties ends the run, whatever that is about to do", arguments: [true, false])
  func hammer(observed: Bool) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let runs = Runs()
      let activities: GRunLoop.Activities = observed ? [.entry, .beforeWaiting] : .entry
      loop.add(
        GRunLoop.Observer(activities: activities) { _, activity in
          if activity == .entry { runs.begun.add(1, ordering: .sequentiallyConsistent) }
        }, forMode: .default)
      let remover = TestThread {
        for run in 1... {
          var begun = 0
          while begun < run {
            begun = runs.begun.load(ordering: .sequentiallyConsistent)
            if begun < 0 { return }
            sched_yield()
          }
          // At another point of the run each time.
          for _ in 0..<(run % 400) { _ = runs.begun.load(ordering: .relaxed) }
          let source = runs.current.withLock { $0! }
          if run.isMultiple(of: 2) { source.invalidate() } else { loop.remove(source, forMode: .default) }
        }
      }
      for run in Rounds(20_000) {
        let source = GRunLoop.Source(sendableHandler: { _ in })
        runs.current.withLock { $0 = source }
        loop.add(source, forMode: .default)
        let result = loop.run(mode: .default, for: .seconds(20))
        guard result == .finished else {
          Issue.record("run \(run) did not end with its last item: \(result)")
          break
        }
      }
      runs.begun.store(.min, ordering: .sequentiallyConsistent)
      remover.join()
    }
  }
}
