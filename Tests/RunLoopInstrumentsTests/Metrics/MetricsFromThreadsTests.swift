import GLibRunLoop
import Glibc
import RunLoopInstruments
import Testing

@Suite struct MetricsFromThreadsTests {
  @Test("L4 metrics are taken, begun and ended by other threads while the loop works", arguments: Driver.allCases)
  func threads(_ driver: Driver) async throws {
    try await onLoopThread {
      let worker = DrivenWorker(driver)
      let threads = (0..<3).map { index in
        TestThread {
          for round in 0..<100 {
            worker.loop.perform {}
            if index == 0 { worker.loop.collectsMetrics = round % 10 < 5 }
            let metrics = worker.loop.metrics
            if metrics.durations.count != metrics.calls.reduce(0, { $0 + $1.count }) {
              Issue.record("the counts do not belong together")
            }
          }
        }
      }
      for thread in threads { thread.join() }
      worker.finish()
    }
  }
}
