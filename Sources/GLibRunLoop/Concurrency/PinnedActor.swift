extension GRunLoop {
  /// An actor that lives on a loop's thread.
  ///
  /// ```swift
  /// actor Player: GRunLoop.PinnedActor {
  ///   nonisolated let loop: GRunLoop
  ///   init(loop: GRunLoop) { self.loop = loop }
  /// }
  /// ```
  ///
  /// Its jobs are performs in the loop's common modes. In call-backs on that thread, also those that C code makes,
  /// `assumeIsolated` gives its state without an `await`. When the loop has ended with its thread, the actor goes on, and
  /// is freed, on another one; what belongs to the thread must not be touched any more then.
  public protocol PinnedActor: Actor {
    /// The loop that the actor lives on. It must always be the same.
    nonisolated var loop: GRunLoop { get }
  }
}

extension GRunLoop.PinnedActor {
  /// The loop, as the executor of the actor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
}
