import CRunLoopShims
import Dispatch

/// The main loop's service of Dispatch's main queue, and with it of the main actor.
///
/// libdispatch makes an eventfd readable when the main queue has work, and drains the queue on request; Core
/// Foundation's run loop lives on the same two calls. Guarded by the loop's lock, but for `drain`.
final class MainQueue {
  /// -1 in a program whose first thread called dispatch_main(3): Dispatch's own threads serve the main queue there.
  private let descriptor: CInt
  private var isRegistered = false
  @exclusivity(unchecked) private var isWatched = false
  /// Inside a block of the main queue: libdispatch would not run another one, and no mode may wait for it.
  @exclusivity(unchecked) private var isDraining = false
  /// The default context is driven by a thread that is not the process's first: libdispatch would trap there.
  @exclusivity(unchecked) private(set) var isOnWrongThread = false

  init() {
    descriptor = _dispatch_get_main_queue_handle_4CF()
    // What was queued before there was a descriptor is drained with the first turn.
    if descriptor >= 0 { _ = grl_eventfd_signal(descriptor) }
  }

  var keepsModeAlive: Bool { descriptor >= 0 && !isDraining && !isOnWrongThread }

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
    isDraining = !isOnWrongThread
    return isDraining
  }

  func endDraining() { isDraining = false }

  /// Without the lock. Reads first: what is queued meanwhile is news again.
  func drain() {
    grl_eventfd_drain(descriptor)
    _dispatch_main_queue_callback_4CF(nil)
  }
}
