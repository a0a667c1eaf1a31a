import CFaults
import GLibRunLoop
import Glibc
import RunLoopInstruments
import Testing

/// This thread's monotonic clock, as on some virtual machines.
private final class SteppingClock: @unchecked Sendable {
  // Made, turned and freed on one thread.
  private let clock = fault_clock_use(CLOCK_MONOTONIC)

  deinit { fault_clock_free(clock) }

  func step(by nanoseconds: Int64) { fault_clock_turn(clock, nanoseconds) }
}

@Suite struct MetricsOfSteppingClockTests {
  @Test("T14 H4 a clock that steps back makes no negative figures, no loop that is more than busy, and no stall")
  func stepsBack() async throws {
    try await onLoopThread {
      let clock = SteppingClock()
      let loop = GRunLoop.current
      let stalls = try loop.stalls(limit: .seconds(20)) {
        loop.collectsMetrics = true
        for _ in 0..<20 {
          loop.perform { clock.step(by: -50_000_000) }
          loop.perform(after: .microseconds(100)) {}
          loop.run(mode: .default, for: .milliseconds(1))
        }
        loop.perform { clock.step(by: -3_600_000_000_000) }
        loop.run(mode: .default, for: .zero)
      }
      let metrics = loop.metrics
      #expect(metrics.collectedNanoseconds > 0 && metrics.busyNanoseconds >= 0 && metrics.sleptNanoseconds >= 0)
      #expect(metrics.busyNanoseconds <= metrics.collectedNanoseconds)
      #expect(metrics.busyShare >= 0 && metrics.busyShare <= 1)
      #expect(metrics.calls.allSatisfy { $0.totalNanoseconds >= 0 })
      #expect(metrics.slowest.allSatisfy { $0.longestNanoseconds >= 0 })
      #expect(stalls.isEmpty)
      loop.collectsMetrics = false
    }
  }

  @Test("H4 what had begun before the loop was counted makes it no busier than the time that it is looked at")
  func begunBefore() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let trace = GRunLoop.Trace.start(keeping: .seconds(1))
      defer { trace.stop() }
      loop.perform {
        usleep(50_000)
        loop.collectsMetrics = true
      }
      loop.run(mode: .default, for: .zero)
      let metrics = loop.metrics
      #expect(metrics.busyNanoseconds <= metrics.collectedNanoseconds)
      loop.collectsMetrics = false
    }
  }
}
