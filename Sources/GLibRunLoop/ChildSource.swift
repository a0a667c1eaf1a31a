import CGLib

extension GRunLoop {
  /// Fires once, when a child process has ended, and is gone then.
  ///
  /// GLib reaps the child: nothing else in the process may wait for it. (`g_child_watch_source_new`)
  public final class ChildSource: ForeignSource, @unchecked Sendable {
    // Invariant for @unchecked: as for Item; the handler is called and freed on the thread that its affinity names.

    /// The child's process identifier.
    public let pid: pid_t

    /// A source that is added on this thread, to this thread's loop.
    ///
    /// - Parameters:
    ///   - pid: A child of this process that has not been waited for.
    ///   - priority: When GLib lets it have its turn.
    ///   - handler: Called on the loop's thread with the source and the status, in the form of `waitpid(2)`.
    public init(pid: pid_t, priority: Priority = .default, handler: @escaping (ChildSource, CInt) -> Void) {
      self.pid = pid
      super.init(adopting: Self.make(pid, priority), affinity: .thisThread)
      callBack { [unowned self] status in handler(self, status) }
    }

    /// A source whose handler is the main actor's: for ``GRunLoop/main`` only.
    public init(pid: pid_t, priority: Priority = .default, handler: @escaping @MainActor (ChildSource, CInt) -> Void) {
      self.pid = pid
      super.init(adopting: Self.make(pid, priority), affinity: .mainLoop)
      callBack { [unowned self] status in MainActor.assumeIsolated { handler(self, status) } }
    }

    /// A source that can be added to any loop, from any thread.
    @_disfavoredOverload
    public init(
      pid: pid_t, priority: Priority = .default, sendableHandler: @escaping @Sendable (ChildSource, CInt) -> Void
    ) {
      self.pid = pid
      super.init(adopting: Self.make(pid, priority), affinity: .anyThread)
      callBack { [unowned self] status in sendableHandler(self, status) }
    }

    private static func make(_ pid: pid_t, _ priority: Priority) -> UnsafeMutablePointer<GSource> {
      precondition(pid > 0, "a ChildSource needs the process identifier of one child, not \(pid)")
      Refusal.lookForChildren
      let source = g_child_watch_source_new(pid)!
      g_source_set_priority(source, priority.rawValue)
      return source
    }

    private func callBack(_ body: @escaping (CInt) -> Void) {
      let function: GChildWatchFunc = { _, status, box in Callback.run(box, status) }
      setCallback(unsafeBitCast(function, to: GSourceFunc.self), body)
    }

    override var summary: String { "ChildSource of \(pid)" }
  }
}
