import CGLib
import GLibRunLoop
import Testing

@Suite struct OwnerTests {
  @Test("L8 a moment's iteration of the main loop's context elsewhere leaves no trace")
  func momentElsewhere() async throws { try await runScenario("MomentElsewhere") }

  @Test("L8 a run waits for a thread that owns the context for a moment, and drives it then")
  func waits() async throws { try await runScenario("RunWaitsForOwner") }

  @Test("L8 a run does not drive a context that another thread keeps, and says so")
  func refuses() async throws { try await runScenario("RunIsRefusedWithoutContext") }

  @Test("L8 in a call-back the current loop is that of the context being dispatched", arguments: [false, true])
  func currentInCallback(isThreadDefault: Bool) async throws {
    try await onLoopThread {
      let thread = GLibThread(isThreadDefault: isThreadDefault)
      let loop = GRunLoop.loop(for: thread.context)
      let seen = Gate<GRunLoop>()
      Foreign.idle {
        seen.open(GRunLoop.current)
        return false
      }.attach(to: thread.context)
      #expect(seen.wait() === loop)
      thread.finish()
    }
  }

  @Test("L8, L5 a context that was iterated lets its loop go when it ends, and so do threads that took turns")
  func leavesNothing() async throws {
    try await onLoopThread {
      let life = LifeCount()
      for _ in 0..<50 {
        let context = g_main_context_new()!
        let loop = GRunLoop.loop(for: context)
        let token = life.token()
        loop.add(GRunLoop.Source(sendableHandler: { _ in token.touch() }), forMode: .default)
        g_main_context_iteration(context, 0)
        nonisolated(unsafe) let shared = context
        TestThread { g_main_context_iteration(shared, 0) }.join()
        g_main_context_iteration(context, 0)
        g_main_context_unref(context)
      }
      #expect(life.value == 0)
    }
  }
}
