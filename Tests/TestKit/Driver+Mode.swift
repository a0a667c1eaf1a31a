import CGLib
import GLibRunLoop

extension Driver {
  /// Handles what is ready in a mode, without sleeping.
  package func poll(_ loop: GRunLoop, mode: GRunLoop.Mode) {
    switch self {
    case .swift: loop.run(mode: mode, for: .zero)
    case .glib:
      let outer = loop.hostMode
      loop.hostMode = mode
      // Not until nothing is ready: a descriptor that nobody reads always is.
      for _ in 0..<8 { g_main_context_iteration(loop.context, 0) }
      loop.hostMode = outer
    }
  }
}
