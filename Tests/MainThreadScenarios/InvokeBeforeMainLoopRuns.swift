import CGLib
import GLibRunLoop

/// At start-up nobody owns the main context yet, so that any thread could. What others perform waits for the first
/// thread all the same.
@MainActor func invokeBeforeMainLoopRuns() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  let note: @Sendable (String) -> Void = { log.append(isFirstThread ? $0 : "\($0) on another thread") }
  OtherThread {
    // This is what makes GLib's g_main_context_invoke call at once, on the wrong thread.
    let acquired = g_main_context_acquire(nil) != 0
    loop.perform { note("performed") }
    loop.perform(after: .zero) { note("performed later") }
    do {
      try loop.performAndWait(timeout: .zero) { note("waited for") }
      fail("it was served although the main loop does not run")
    } catch {
      expectEqual(error as? GRunLoop.Failure, .timedOut, "the error")
    }
    if acquired { g_main_context_release(nil) }
  }.join()
  expectEqual(log.entries, [], "what ran before the loop did")
  let waiting = OtherThread {
    do { try loop.performAndWait { note("waited for") } } catch { fail("\(error)") }
    loop.perform { drive.quit() }
  }
  drive.run()
  waiting.join()
  expectEqual(log.entries.sorted(), ["performed", "performed later", "waited for"], "what ran")
}
