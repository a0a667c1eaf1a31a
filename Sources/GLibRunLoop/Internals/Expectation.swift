import Synchronization

/// A descriptor that one run waits for besides its mode's items, and the event that ends that run.
///
/// It is in no mode and no set of the kernel's, so that a short run, such as for the answer to a request, costs no call
/// but the wait itself.
package final class Expectation: @unchecked Sendable {
  // Invariant for @unchecked: all but `fulfilled` is for the loop's thread.

  let descriptor: CInt
  /// What it is watched for.
  package var events: GRunLoop.DescriptorSource.Events = .readable
  /// Called in a pass that finds the descriptor ready. It must do what makes it not so, or the loop spins.
  let whenReady: () -> Void
  /// What the last wait has found.
  @exclusivity(unchecked) var isReady = false
  /// Acquiring and releasing: whoever sees it set sees all that was written before it was set, by whichever thread; and
  /// one that is set again after it was taken stays set.
  private let fulfilled = Atomic<Bool>(false)

  package init(descriptor: CInt, whenReady: @escaping () -> Void) {
    self.descriptor = descriptor
    self.whenReady = whenReady
  }

  /// Whether the run is to end with its pass.
  package var isFulfilled: Bool { fulfilled.load(ordering: .acquiring) }

  /// The run is to end with its pass. From any thread.
  package func fulfil(on loop: GRunLoop) {
    _ = fulfilled.exchange(true, ordering: .acquiringAndReleasing)
    // On the loop's own thread this is inside a pass, which looks when it is over.
    if !loop.isKnownToBeCurrent { loop.wakeUp() }
  }

  /// Makes it good for another run. What was written before it was fulfilled can be read after this.
  package func renew() { _ = fulfilled.exchange(false, ordering: .acquiringAndReleasing) }
}

extension GRunLoop {
  /// Runs in a mode until what is expected has come, then returns ``RunResult/handledSource``; else as
  /// ``run(mode:for:returnAfterSourceHandled:)``, but that the mode need hold nothing.
  ///
  /// - Parameter limit: On the monotonic clock, in nanoseconds.
  package func run(mode: Mode, before limit: Int64, expecting expectation: Expectation) -> RunResult {
    run(mode, until: limit, returnsAfterSource: false, expecting: expectation) ?? .finished
  }
}
