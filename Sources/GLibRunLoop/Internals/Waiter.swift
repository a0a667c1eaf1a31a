import CRunLoopShims
import Synchronization

/// A thread that waits until the loop has run its closure, or never will.
final class Waiter: PerformDetails {
  private enum State: Int, AtomicRepresentable {
    case queued, running, finished, abandoned
  }

  /// Belongs to whoever moved the state to running, and is freed before the waiter goes on, in whose frame it lives.
  private var question: (() -> Void)?
  private let state = Atomic<State>(.queued)
  /// The waiting thread's own; it waits for one thing at a time, and is signalled once for each.
  private let semaphore = grl_thread_semaphore()
  /// Written by the one who moves the state on, before it does; read by the waiter once it has seen that.
  private var reason = GRunLoop.Failure.ended

  init(states: [ModeState], origin: Origin?, _ question: @escaping () -> Void) {
    self.question = question
    super.init(states: states, origin: origin)
  }

  override func run() {
    guard move(from: .queued, to: .running) else { return }
    question!()
    question = nil
    state.store(.finished, ordering: .releasing)  // Releasing: what the closure did is there for whoever sees this.
    grl_semaphore_signal(semaphore)
  }

  override func abandon(_ reason: GRunLoop.Failure) {
    guard move(from: .queued, to: .running) else { return }
    self.reason = reason
    question = nil
    state.store(.abandoned, ordering: .releasing)  // Releasing: as above, for the reason.
    grl_semaphore_signal(semaphore)
  }

  override func abandonBegun(_ reason: GRunLoop.Failure) {
    self.reason = reason
    state.store(.abandoned, ordering: .releasing)  // Releasing: as above.
    grl_semaphore_signal(semaphore)
  }

  /// False if the time-out passed first; then the closure will not run.
  func wait(_ timeout: Duration?) -> Bool {
    if let timeout, !grl_semaphore_wait(semaphore, max(0, timeout.wholeNanoseconds)) {
      if move(from: .queued, to: .running) {
        reason = .timedOut
        question = nil
        state.store(.abandoned, ordering: .releasing)
        return false
      }
      // It has begun: its captures are the caller's, who therefore stays until it is done.
      _ = grl_semaphore_wait(semaphore, -1)
    } else if timeout == nil {
      _ = grl_semaphore_wait(semaphore, -1)
    }
    return true
  }

  /// Why the closure did not run, if it did not.
  var failure: GRunLoop.Failure? {
    // Acquiring: pairs with the stores above.
    state.load(ordering: .acquiring) == .abandoned ? reason : nil
  }

  private func move(from old: State, to new: State) -> Bool {
    // Acquiring and releasing: one of the loop, the end and the waiter wins, and sees what the others wrote.
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
