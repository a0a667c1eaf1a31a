import CGLib
import CRunLoopShims
import Glibc

extension GRunLoop {
  /// Makes the main thread of a program with an `async main` turn the main loop, from `main`'s first suspension on.
  ///
  /// ```swift
  /// @main struct Program {
  ///   static func main() async throws {
  ///     GRunLoop.hostAsyncMain()
  ///     let answer = try await ask()        // GLib's sources, timers and the main actor live meanwhile
  ///     show(answer)                        // still on the main thread
  ///   }
  /// }
  /// ```
  ///
  /// `main` is on the main thread after every `await`. When it returns the process exits with status 0; for another
  /// status call `exit` at its end. Without this call Swift hands the main thread to Dispatch at that first suspension,
  /// and `main` goes on elsewhere.
  ///
  /// The loop runs until the process ends: a ``stop()`` with no other run in progress is not for it, and it goes on. If
  /// another thread drives the default context, so that ``main`` is that thread's, one line says so, and it is as
  /// without the call.
  ///
  /// - Precondition: Called on the process's first thread, before the first suspension. (`swift_task_asyncMainDrainQueue`)
  public static func hostAsyncMain() {
    requireFirstThread("hostAsyncMain()", "call it first thing in main, before anything is awaited")
    _ = main
    grl_host_async_main { GRunLoop.driveForAsyncMain() }
  }

  /// The whole of a `main` that is not async: readies ``main``, has the host run it, and exits with the host's status.
  ///
  /// ```swift
  /// @main struct Program {
  ///   static func main() {
  ///     GRunLoop.hostMain { g_application_run(application, CommandLine.argc, CommandLine.unsafeArgv) }
  ///   }
  /// }
  /// ```
  ///
  /// The main actor, `DispatchQueue.main` and the loop's items live while the host iterates the default context. Do not
  /// run such a host from an `async main` after an `await`: that is inside one of the main actor's own jobs, and no
  /// other would run until it returns.
  ///
  /// - Parameter host: Iterates the default context until the program is done: `g_application_run`, `g_main_loop_run`,
  ///   ``run()``. Returns the process's exit status.
  /// - Precondition: Called on the process's first thread.
  public static func hostMain(_ host: @MainActor () -> CInt) -> Never {
    requireFirstThread("hostMain(_:)", "call it from main")
    _ = main
    exit(MainActor.assumeIsolated { host() })
  }

  private static func driveForAsyncMain() {
    // Held for good: nobody else could iterate it in peace between two runs.
    guard main.acquireContext(), main.isCurrent else {
      return diagnose("hostAsyncMain() was ignored: another thread drives the default main context")
    }
    // A stop is for a run that somebody waits for; nobody waits for this one. Its mode is never empty.
    while true { main.run() }
  }

  private static func requireFirstThread(_ call: String, _ advice: String) {
    if !grl_thread_is_first() { fatalError("\(call) was called on another thread than the process's first: \(advice)") }
  }
}
