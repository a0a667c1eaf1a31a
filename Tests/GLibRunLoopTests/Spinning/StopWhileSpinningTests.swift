import GLibRunLoop
import Glibc
import Synchronization
import Testing

@Suite(.serialized) struct StopWhileSpinningTests {
  @Test("R5 a stop ends a run that spins, from another thread too")
  func stop() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.spinDuration = .longSpin
      let log = Log(of: String.self)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      log.watch([.beforeWaiting, .afterWaiting, .exit])
      let sleeping = Gate<Void>()
      loop.add(GRunLoop.Observer(activities: .beforeWaiting) { _, _ in sleeping.open() }, forMode: .default)
      let thread = TestThread {
        sleeping.wait()
        waitUntilAsleep(loop)
        loop.stop()
      }
      #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped)
      thread.join()
      #expect(log.entries == ["beforeWaiting", "afterWaiting", "exit"])
    }
  }

  @Test("R5, R7 a stop is not lost, whether it comes in the spin, after it, or at its end")
  func hammer() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.spinDuration = .microseconds(20)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      let begun = Gate<Void>()
      loop.add(GRunLoop.Observer(activities: .entry) { _, _ in begun.open() }, forMode: .default)
      let count = 5_000
      let stopper = TestThread {
        for _ in 1...count {
          begun.wait()
          let pause = GRunLoop.Instant.now + .nanoseconds(Int64.random(in: 0...40_000))
          while .now < pause {}
          loop.stop()
        }
      }
      for run in 1...count {
        let result = loop.run(mode: .default, for: .seconds(20))
        if result != .stopped { Issue.record("the stop of run \(run) was lost: \(result)") }
      }
      stopper.join()
    }
  }
}
