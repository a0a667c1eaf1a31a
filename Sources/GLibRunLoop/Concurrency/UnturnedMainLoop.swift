import CRunLoopShims
import Dispatch
import Synchronization

/// Tells a program once that its main loop has work and nobody to turn it.
///
/// That is certain in one case only: an `async main` has handed the main thread to Dispatch, for good. A thread that does
/// something else may come to turn the loop yet. So nothing is done until the runtime says that it was handed over;
/// then it is looked, more and more seldom, whether there is work, and whether the loop has made a turn since, which
/// is learned from a chore that any turn does.
enum UnturnedMainLoop {
  private nonisolated(unsafe) static var loop: GRunLoop!  // Set once, before anyone is told.
  private static let hasTurned = Atomic<Bool>(false)

  /// How long after the hand-over it is looked first, and how long the last wait may be, in seconds.
  private static let (firstWait, longestWait) = (5, 3600)

  /// The main loop has been made.
  static func lookOut(for main: GRunLoop) {
    loop = main
    grl_when_async_main_is_unhosted { UnturnedMainLoop.begin() }
  }

  private static func begin() {
    // Not here, where the main thread is about to go: it waits for no lock.
    DispatchQueue.global(qos: .utility).async {
      loop.lock.withLock {
        // Relaxed: it tells nothing but itself.
        loop.appendChore { hasTurned.store(true, ordering: .relaxed) }
      }
      look(in: firstWait)
    }
  }

  private static func look(in seconds: Int) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(seconds)) {
      if hasTurned.load(ordering: .relaxed) || loop.isForked { return }
      if loop.hasWork {
        diagnose(
          "the main loop has work, and nobody turns it: call GRunLoop.hostAsyncMain() first thing in an async main, or "
            + "have a main that is not async run it")
      } else if seconds < longestWait {
        look(in: 2 * seconds)
      }
    }
  }
}

extension GRunLoop {
  /// Whether there is anything in it, in any mode.
  fileprivate var hasWork: Bool {
    lock.withLock {
      ([common] + modes.values).contains { $0.itemCount > 0 || $0.performCount > 0 }
    }
  }
}
