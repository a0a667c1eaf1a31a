import CGLib
import GLibRunLoop

/// Runs this thread's loop without a timer of its own: nothing has a date.
final class ManualMainLoop: @unchecked Sendable {
  // `quit` may come from any thread: GRunLoop.stop and g_main_loop_quit allow that.
  private let driver: Driver
  private let loop = GRunLoop.current
  private let mainLoop: OpaquePointer

  init(_ driver: Driver) {
    self.driver = driver
    mainLoop = g_main_loop_new(loop.context, 0)
  }

  deinit { g_main_loop_unref(mainLoop) }

  func run() { if driver == .swift { loop.run() } else { g_main_loop_run(mainLoop) } }
  func quit() { if driver == .swift { loop.stop() } else { g_main_loop_quit(mainLoop) } }
}
