import CGLib
import GLibRunLoop
import Testing

@Suite struct HostIterationsTests {
  @Test("O5 with no observer of sleeps an event costs the host one iteration", arguments: [false, true])
  func oneIteration(afterObserver: Bool) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      if afterObserver {
        // Also once the last such observer is gone.
        let log = Log(of: String.self)
        let watch = log.watch([.beforeWaiting, .afterWaiting])
        let timer = GRunLoop.Timer(interval: .milliseconds(5), repeats: true) { _ in }
        loop.add(timer, forMode: .default)
        while !log.entries.contains("afterWaiting") { g_main_context_iteration(loop.context, 1) }
        timer.invalidate()
        watch.invalidate()
      }
      let others = GRunLoop.Observer(activities: [.beforeTimers, .beforeSources, .entry, .exit]) { _, _ in }
      loop.add(others, forMode: .default)
      while g_main_context_iteration(loop.context, 0) != 0 {}

      for _ in 0..<10 {
        var fired = false
        loop.add(GRunLoop.Timer(interval: .milliseconds(5)) { _ in fired = true }, forMode: .default)
        g_main_context_iteration(loop.context, 1)
        #expect(fired, "a timer needs one iteration")

        let performed = Log(of: Bool.self)
        let thread = TestThread {
          while !loop.isWaiting { sched_yield() }
          loop.perform { performed.append(true) }
        }
        g_main_context_iteration(loop.context, 1)
        #expect(performed.count == 1, "a perform needs one iteration")
        thread.join()
      }
    }
  }
}
