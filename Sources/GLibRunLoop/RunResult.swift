extension GRunLoop {
  /// Why ``GRunLoop/run(mode:for:returnAfterSourceHandled:)`` returned. (`CFRunLoopRunResult`)
  public enum RunResult: Int32, Sendable {
    /// The mode has no source, no timer and no queued perform left.
    case finished = 1
    /// ``GRunLoop/stop()`` was called.
    case stopped = 2
    /// The time is up.
    case timedOut = 3
    /// A source was handled, and the run was asked to return then.
    case handledSource = 4
  }
}
