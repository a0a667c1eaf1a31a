import Foundation
import GLibRunLoop

extension GRunLoop {
  /// Has the main loop serve Foundation's main run loop, for as long as the process lives.
  ///
  /// From then on Foundation's own `Timer`s, `RunLoop.main.perform` and `NotificationQueue` work on the main thread
  /// while ``/GLibRunLoop/GRunLoop/main`` turns, whoever drives it, and `RunLoop.current.currentMode` is right inside
  /// their call-backs. What stands on Dispatch, `OperationQueue.main` and the call-backs of `URLSession`, needs no more
  /// than the main loop itself.
  ///
  /// ```swift
  /// GRunLoop.serveFoundation()
  /// let ticks = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in print("Foundation's") }
  /// g_main_loop_run(mainLoop)
  /// ```
  ///
  /// Nothing polls: the loop waits for the descriptor in which Foundation's timers end, and each time that it is about to
  /// sleep, Foundation's loop makes one pass without sleep, in the mode of the same name, if that is a common one. In a
  /// private mode it is held.
  ///
  /// From other threads timers may be added and changed as ever. `RunLoop.main.perform` from another thread does not
  /// wake Foundation's loop on Linux, and so not this one: say ``/GLibRunLoop/GRunLoop/wakeUp()`` after it, or perform on
  /// ``/GLibRunLoop/GRunLoop/main``. Ports and streams that are scheduled in `RunLoop.main` are not served; see
  /// <doc:FoundationsOwnLoop>.
  ///
  /// On the main thread, once; more calls do nothing. If another thread drives the default main context, one warning says
  /// so, and Foundation's loop is not served.
  @MainActor public static func serveFoundation() { FoundationGuest.settle() }
}
