import CRunLoopShims
import Dispatch
import Glibc

/// The main loop's service of Dispatch's main queue, and with it of the main actor.
///
/// libdispatch makes an eventfd readable when the main queue has work, and drains the queue on request; Core
/// Foundation's run loop lives on the same two calls. Guarded by the loop's lock, but for `drain`.
final class MainQueue {
  /// A duplicate of libdispatch's, for the process's life: libdispatch closes its own when the first thread ends, or calls
  /// dispatch_main(3), and the number may be some other file's by then. -1 if that had come before: Dispatch's own threads
  /// serve the queue. And where the loop must not serve it.
  private let descriptor: CInt
  private var isRegistered = false
  @exclusivity(unchecked) private var isWatched = false
  /// Inside a block of the main queue: libdispatch would not run another one, and no mode may wait for it.
  @exclusivity(unchecked) private var isDraining = false
  /// The default context is driven by a thread that is not the process's first: libdispatch would trap there.
  @exclusivity(unchecked) private var isOnWrongThread = false
  /// Another thread than the first loaded libdispatch, which takes that one for the main queue's, and would trap on the
  /// first. Nil until one of the two has come to look.
  @exclusivity(unchecked) private var isAnotherThreads: Bool?

  init() {
    let isFirst = grl_thread_is_first()
    let isBoundHere = grl_thread_has_main_queue()
    // Another thread that the queue is bound to may end; the loop would be left with a queue that nobody drains.
    let original = isBoundHere && !isFirst ? -1 : _dispatch_get_main_queue_handle_4CF()
    descriptor = fcntl(original, F_DUPFD_CLOEXEC, 0)
    if descriptor < 0 && original >= 0 && errno != EBADF { WaitSet.cannotBeMade(SystemFailure(call: "fcntl(F_DUPFD)")) }
    if isBoundHere != isFirst && descriptor < 0 { isAnotherThreads = true }
    if descriptor >= 0 { grl_say_that_main_queue_is_served() }
  }

  var keepsModeAlive: Bool { descriptor >= 0 && !isDraining && problem == nil }

  /// Why the queue is not served, if so.
  var problem: String? {
    if isOnWrongThread {
      return "the main queue is not served: the default main context is driven by another thread than the first"
    }
    if isAnotherThreads != true { return nil }
    return "the main queue is not served: Dispatch was loaded by another thread than the first, and took that one for "
      + "the main thread; load it, and what is linked with it, on the first thread"
  }

  /// Whether the wait set is to report the queue. Not in private modes, nor for a nested run inside a block.
  func setWatched(_ on: Bool, in waitSet: WaitSet) {
    let watch = on && keepsModeAlive
    guard watch != isWatched else { return }
    let events = watch ? EPOLLIN.rawValue : 0
    if isRegistered {
      waitSet.change(descriptor, events, WaitSet.Tag.mainQueue)
    } else if let failure = waitSet.add(descriptor, events, WaitSet.Tag.mainQueue) {
      WaitSet.cannotBeMade(failure)
    }
    isRegistered = true
    isWatched = watch
  }

  /// Another thread than before drives the default context. That it is the wrong one is said when there is work.
  func noteThread() { if grl_thread_is_first() { isOnWrongThread = false } }

  /// False if the caller must not drain.
  func beginDraining() -> Bool {
    if isDraining { return false }
    isOnWrongThread = !grl_thread_is_first()
    if !isOnWrongThread && isAnotherThreads == nil { isAnotherThreads = !grl_thread_has_main_queue() }
    isDraining = problem == nil
    return isDraining
  }

  func endDraining() { isDraining = false }

  /// Without the lock. Reads first: what is queued meanwhile is news again.
  func drain() {
    grl_eventfd_drain(descriptor)
    _dispatch_main_queue_callback_4CF(nil)
  }
}
