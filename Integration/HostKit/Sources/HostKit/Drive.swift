import CGLib
import GLibRunLoop

/// Who iterates the context, and how it comes into a mode.
@MainActor public enum Drive: String {
  case swift, glib

  /// Runs in a mode until `body` calls its argument. Under GLib's loop the mode is set from outside.
  public func run(mode: GRunLoop.Mode, until body: (_ quit: @escaping @Sendable () -> Void) -> Void) {
    let loop = GRunLoop.main
    switch self {
    case .swift:
      // In the run, so that the stop finds it.
      body { loop.perform(inModes: [mode]) { @Sendable in loop.stop() } }
      loop.run(mode: mode, for: .seconds(Int.max))
    case .glib:
      nonisolated(unsafe) let mainLoop = g_main_loop_new(loop.context, 0)!
      loop.hostMode = mode
      body { loop.perform(inModes: [mode]) { @Sendable in g_main_loop_quit(mainLoop) } }
      g_main_loop_run(mainLoop)
      loop.hostMode = .default
      g_main_loop_unref(mainLoop)
    }
  }
}
