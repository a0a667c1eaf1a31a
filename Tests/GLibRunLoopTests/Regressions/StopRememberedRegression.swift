import CGLib
import GLibRunLoop
import Testing

/// A stop while no run was in progress ended the next one at once.
/// https://github.com/neovim/neovim/pull/37984
@Suite struct StopRememberedRegression {
  @Test("R5 a stop without a run is not kept for the next run (Neovim, libuv)", arguments: [false, true])
  func forgotten(insideHostCallback: Bool) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let source = GRunLoop.Source { _ in }
      loop.add(source, forMode: .default)
      if insideHostCallback {
        // No run of ours there either: GLib drives.
        loop.perform { loop.stop() }
        while g_main_context_iteration(loop.context, 0) != 0 {}
      } else {
        loop.stop()
        TestThread { loop.stop() }.join()
      }
      #expect(loop.run(mode: .default, for: .milliseconds(20)) == .timedOut)
      source.invalidate()
    }
  }
}
