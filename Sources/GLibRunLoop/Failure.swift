extension GRunLoop {
  /// What can go wrong with a loop that the caller must know of.
  public enum Failure: Error, Hashable, Sendable {
    /// The loop's thread or context has ended, or ended before the closure's turn came. The closure did not run.
    case ended
    /// The time limit passed before the closure's turn came. It will not run later.
    case timedOut
    /// The closure was cancelled before its turn came. It did not run.
    case cancelled
    /// This process was forked from the one that made the loop. Only that one can use it; call `exec`, or make the
    /// loops after the fork.
    case forked
    /// This is not the loop's thread, or another one has acquired the loop's context.
    case wrongThread
    /// What was asked cannot be done now; the text says why.
    case refused(String)
  }
}

extension GRunLoop.Failure: CustomStringConvertible {
  /// What happened, and what to do about it, in one line.
  public var description: String {
    switch self {
    case .ended:
      "the run loop has ended with its thread or context: keep the thread running until its work is done"
    case .timedOut:
      "the run loop did not come to the closure within the time limit: is it running in a mode of the closure's?"
    case .cancelled:
      "the closure was cancelled before the run loop came to it"
    case .forked:
      "this process was forked from the one that made the run loop: call exec, or make loops after the fork"
    case .wrongThread:
      "the run loop is another thread's: only its own one can drive it; use perform to get work there"
    case .refused(let reason):
      reason
    }
  }
}
