import CGLib
import CRunLoopShims

extension GRunLoop {
  /// Fires once, when a child process has ended, and is gone then.
  ///
  /// The source reaps the child: nothing else in the process should wait for it. What the program does with `SIGCHLD`,
  /// a handler of its own, blocking it, is not touched and makes no difference, but for one thing: where the program
  /// ignores it, or waits for the child itself, the kernel has no status left, and ``statusLost`` is told.
  ///
  /// It holds a descriptor (`pidfd_open(2)`) until the end, or, where that is refused or none is left, a thread that
  /// sleeps. (`g_child_watch_source_new`)
  public final class ChildSource: ForeignSource, @unchecked Sendable {
    // Invariant for @unchecked: as for Item; the handler is called and freed on the thread that its affinity names.

    /// The status of a child that has ended in a way that nobody knows: neither by exiting nor by a signal, as
    /// `WIFEXITED` and `WIFSIGNALED` have it.
    public static let statusLost: CInt = CInt(GRL_NO_STATUS)

    /// The child's process identifier.
    public let pid: pid_t

    /// A source that is added on this thread, to this thread's loop.
    ///
    /// - Parameters:
    ///   - pid: A child of this process that has not been waited for.
    ///   - priority: When GLib lets it have its turn.
    ///   - handler: Called on the loop's thread with the source and the status, in the form of `waitpid(2)`, or
    ///     ``statusLost``.
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
      let source = grl_child_source_new(pid)!
      g_source_set_priority(source, priority.rawValue)
      return source
    }

    private func callBack(_ body: @escaping (CInt) -> Void) {
      let function: GChildWatchFunc = { pid, status, box in
        if status == ChildSource.statusLost {
          diagnose(
            "the status of child \(pid) is lost: SIGCHLD is ignored, or something else in the process waited for it")
        }
        Callback.run(box, status)
      }
      setCallback(unsafeBitCast(function, to: GSourceFunc.self), body)
    }

    override func join(_ state: ModeState, of loop: GRunLoop) -> String? {
      guard grl_child_source_watch(source) == 0 else {
        return "the end of child \(pid) cannot be heard of: there is neither a descriptor nor a thread left for it"
      }
      loop.sayRefusalsLater()
      return super.join(state, of: loop)
    }

    override var summary: String { "ChildSource of \(pid)" }
  }
}
