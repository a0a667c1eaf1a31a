import CGLib
import GLibRunLoop
import Glibc
import Testing

/// Setting something up on a context that another thread was iterating meant to acquire it, which GLib refuses with a
/// complaint; or the call-backs came on the thread that set it up.
/// https://github.com/EricssonResearch/openwebrtc/issues/225
/// https://github.com/EricssonResearch/openwebrtc/pull/227
/// https://github.com/fwupd/fwupd/pull/2694
@Suite struct ContextTakenFromItsThreadRegression {
  @Test("L3, L4 work is put into another thread's context without taking that away (OpenWebRTC, fwupd)")
  func leftAlone() async {
    // In a process of its own, where a complaint of GLib's is fatal.
    await #expect(processExitsWith: .success) {
      _ = g_log_set_always_fatal(GLogLevelFlags(rawValue: G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue))
      let host = GLibThread()
      let loop = GRunLoop.loop(for: host.context)
      let threads = Log(of: pthread_t.self)
      let makers = (0..<4).map { _ in
        TestThread {
          let loop = GRunLoop.loop(for: loop.context)
          #expect(!loop.isCurrent)
          for _ in 0..<50 {
            let timer = GRunLoop.Timer(
              interval: .microseconds(100), sendableHandler: { _ in threads.append(pthread_self()) })
            loop.add(timer, forMode: .default)
            loop.perform { threads.append(pthread_self()) }
            loop.add(
              Foreign.idle {
                threads.append(pthread_self())
                return false
              }, forMode: .common)
            #expect(g_main_context_is_owner(loop.context) == 0)
          }
        }
      }
      for maker in makers { maker.join() }
      #expect(eventually { threads.count == 600 })
      let owner = try loop.performAndWait(timeout: .seconds(30)) { pthread_self() }
      #expect(threads.entries.allSatisfy { $0 == owner })
      host.finish()
    }
  }
}
