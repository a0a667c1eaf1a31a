import CGLib
import CRunLoopShims

extension GRunLoop {
  /// Fires when the process receives a POSIX signal.
  ///
  /// The handler is called on the loop's thread, not in a signal handler: everything may be done there. Signals that
  /// come before the next call are one; none that comes during a call is lost. Several sources may wait for one signal;
  /// as long as one does, the signal has no other effect. GLib's own sources for the same signal go on. When the last
  /// source is invalidated or gone, the signal does what it did before the first one: it is ignored, has its default
  /// effect, or the program's own handler is called. While somebody else still has a source of GLib's for it, it remains
  /// that one's, and GLib resets it to the default in the end.
  ///
  /// A signal that all threads of the process block never comes. A process inherits the mask of the thread that started
  /// it, and Dispatch's threads block most signals: unblock with `pthread_sigmask` before `fork` and `exec` there.
  /// (`g_unix_signal_source_new`)
  public final class SignalSource: ForeignSource, @unchecked Sendable {
    // Invariant for @unchecked: as for Item; the handler is called and freed on the thread that its affinity names.

    /// The signal's number.
    public let signal: CInt

    /// A source that is added on this thread, to this thread's loop.
    ///
    /// - Parameters:
    ///   - signal: `SIGHUP`, `SIGINT`, `SIGTERM`, `SIGUSR1`, `SIGUSR2` or `SIGWINCH`. For the end of a child process
    ///     use ``ChildSource``.
    ///   - priority: When GLib lets it have its turn.
    ///   - handler: Called on the loop's thread with the source.
    /// - Precondition: GLib can wait for the signal.
    public init(signal: CInt, priority: Priority = .default, handler: @escaping (SignalSource) -> Void) {
      self.signal = signal
      super.init(adopting: Self.make(signal, priority), affinity: .thisThread)
      callBack { [unowned self] _ in handler(self) }
    }

    /// A source whose handler is the main actor's: for ``GRunLoop/main`` only.
    public init(signal: CInt, priority: Priority = .default, handler: @escaping @MainActor (SignalSource) -> Void) {
      self.signal = signal
      super.init(adopting: Self.make(signal, priority), affinity: .mainLoop)
      callBack { [unowned self] _ in MainActor.assumeIsolated { handler(self) } }
    }

    /// A source that can be added to any loop, from any thread.
    @_disfavoredOverload
    public init(
      signal: CInt, priority: Priority = .default, sendableHandler: @escaping @Sendable (SignalSource) -> Void
    ) {
      self.signal = signal
      super.init(adopting: Self.make(signal, priority), affinity: .anyThread)
      callBack { [unowned self] _ in sendableHandler(self) }
    }

    private static func make(_ signal: CInt, _ priority: Priority) -> UnsafeMutablePointer<GSource> {
      precondition(
        canWait(for: signal),
        "a SignalSource can wait for SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2 and SIGWINCH, not for signal \(signal)")
      let source = grl_signal_source_new(signal)!
      g_source_set_priority(source, priority.rawValue)
      return source
    }

    /// Whether GLib knows how to wait for the signal. (`g_unix_signal_source_new`)
    package static func canWait(for signal: CInt) -> Bool {
      [SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH].contains(signal)
    }

    private func callBack(_ body: @escaping (CInt) -> Void) {
      let function: GSourceFunc = { box in
        Callback.run(box, 0)
        return 1
      }
      setCallback(function, signal: signal, body)
    }

    override var summary: String { "SignalSource of \(signal)" }
  }
}
