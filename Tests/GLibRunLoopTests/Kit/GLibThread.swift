import CGLib
import Glibc

/// A thread that runs a context of its own with `g_main_loop_run`, as a program without run loops does.
final class GLibThread: @unchecked Sendable {
  // The pointers do not change, and GLib lets every thread use them.
  let context: OpaquePointer
  private let mainLoop: OpaquePointer
  private let thread: TestThread

  /// - Parameter isThreadDefault: Whether the thread makes the context its thread-default one first.
  init(isThreadDefault: Bool = false) {
    let context = g_main_context_new()!
    let mainLoop = g_main_loop_new(context, 0)!
    nonisolated(unsafe) let pointers = (context, mainLoop)
    thread = TestThread {
      let (context, mainLoop) = pointers
      if isThreadDefault { g_main_context_push_thread_default(context) }
      g_main_loop_run(mainLoop)
      if isThreadDefault { g_main_context_pop_thread_default(context) }
    }
    // A quit that comes before the run would be lost.
    while g_main_loop_is_running(mainLoop) == 0 { sched_yield() }
    self.context = context
    self.mainLoop = mainLoop
  }

  /// Ends the run and the thread. The context stays as long as this object does.
  func finish() {
    quit()
    join()
  }

  /// Ends the run, from any thread, the thread itself included.
  func quit() { g_main_loop_quit(mainLoop) }

  func join() { thread.join() }

  deinit {
    g_main_loop_unref(mainLoop)
    g_main_context_unref(context)
  }
}
