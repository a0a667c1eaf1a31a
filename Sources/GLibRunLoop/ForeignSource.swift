import CGLib
import CRunLoopShims

extension GRunLoop {
  /// A `GSource` of somebody else's, GLib's, GIO's or GStreamer's, in chosen modes of a loop.
  ///
  /// It is a ``ForeignContext`` with that one source in it: what its call-back starts with GIO finishes in the same
  /// modes. Removing it from its last mode destroys it, since a `GSource` can be attached only once; if it ends by
  /// itself, it leaves its modes.
  public class ForeignSource: ForeignContext, @unchecked Sendable {
    // Invariant for @unchecked: as for ForeignContext.

    /// Not to be touched once `isReleased`.
    final let source: UnsafeMutablePointer<GSource>
    /// Attached by us; one that was refused remains its owner's.
    private var isTaken = false
    /// The signal that it takes from the program; 0 for another kind.
    private var signal: CInt = 0

    // What it holds of the system is given back before the item goes, if nobody else has the source. GLib must have come
    // to its end with it: a signal is given back in the very moment in which the source is freed. Guarded by the lock.
    private var isReleased = false
    private var handlersAreFreed = false
    /// Made for the item: nobody else has the source.
    private var isOwn = false
    private var isAtRest = false

    /// Wraps a source that is not attached yet. Takes a reference of its own.
    public convenience init(_ source: UnsafeMutablePointer<GSource>) {
      self.init(adopting: g_source_ref(source), affinity: .anyThread)
    }

    init(adopting source: UnsafeMutablePointer<GSource>, affinity: Affinity) {
      self.source = source
      super.init(priority: Priority(rawValue: g_source_get_priority(source)), affinity: affinity)
    }

    deinit {
      if isReleased { return }
      if isTaken { g_source_destroy(source) }
      free()
    }

    // MARK: Kinds that have a handler of their own

    /// What a `GSource` calls, and frees when it is destroyed.
    final class Callback {
      private let body: (CInt) -> Void

      init(_ body: @escaping (CInt) -> Void) { self.body = body }

      static func run(_ box: gpointer?, _ value: CInt) {
        Unmanaged<Callback>.fromOpaque(box!).takeUnretainedValue().body(value)
      }
    }

    /// - Parameter signal: The one that the source is for, if `grl_signal_source_new` made it.
    func setCallback(_ function: GSourceFunc?, signal: CInt = 0, _ body: @escaping (CInt) -> Void) {
      self.signal = signal
      isOwn = true
      g_source_set_callback(
        source, function, Unmanaged.passRetained(Callback(body)).toOpaque(),
        { Unmanaged<Callback>.fromOpaque($0!).release() })
      isTaken = true
    }

    private func free() {
      if signal == 0 { return g_source_unref(source) }
      // Now: what is freed with it has a deinit of the user's, perhaps.
      g_source_set_callback(source, nil, nil, nil)
      grl_signal_source_free(source, signal)
    }

    /// Under the lock.
    private func releaseIfDone() {
      guard isOwn, handlersAreFreed, isAtRest || loop == nil, !isReleased else { return }
      isReleased = true
      free()
    }

    override func didComeToRest() {
      withLock {
        isAtRest = true
        releaseIfDone()
      }
    }

    // MARK: For the engine

    /// On the loop's thread, or under the lock: by the time that another thread releases the source, the loop's is done
    /// with it.
    override var hasEnded: Bool { isReleased || g_source_is_destroyed(source) != 0 }

    override func join(_ state: ModeState, of loop: GRunLoop) -> String? {
      if hasEnded { return "the GSource was destroyed; one can be attached only once" }
      if let problem = super.join(state, of: loop) { return problem }
      if let other = g_source_get_context(source) {
        if other != context { return "the GSource is attached to another context" }
      } else {
        if let other = loop.foreignSources[source], other !== self {
          return "another thread is adding the same GSource"
        }
        g_source_attach(source, context)
        isTaken = true
      }
      loop.foreignSources[source] = self
      return nil
    }

    override func didLeaveAll() {
      // Invalid: then it was destroyed, and may be released.
      if isValid { g_source_destroy(source) }
      invalidate()
    }

    override func freeHandlers() {
      if isTaken {
        g_source_destroy(source)
        // What was never attached keeps its call-back otherwise (GLib 2.74).
        g_source_set_callback(source, nil, nil, nil)
      }
      withHome { loop in
        loop?.foreignSources[source] = nil
        handlersAreFreed = true
        releaseIfDone()
      }
    }

    override var summary: String {
      let name = g_source_get_name(source).map { String(cString: $0) }
      return "GSource \(name ?? "without a name")"
    }
  }

  /// Puts a `GSource` that is not attached anywhere into a mode; again, with another mode, into that one too.
  /// From any thread. (`g_source_attach`)
  ///
  /// - Parameters:
  ///   - source: A `GSource *`. The loop takes a reference.
  ///   - mode: The mode, or ``Mode/common`` for all of its set.
  ///   - fileID: Where the call stands, as traces and reports of stalls name it.
  ///   - line: The same.
  /// - Returns: The item that stands for it, to be asked, removed or invalidated.
  @discardableResult
  public func add(
    _ source: UnsafeMutablePointer<GSource>, forMode mode: Mode, fileID: StaticString = #fileID, line: UInt = #line
  ) -> ForeignSource {
    let known = isForked ? nil : lock.withLock { foreignSources[source] }
    let item = known ?? ForeignSource(source)
    add(item, forMode: mode, fileID: fileID, line: line)
    return item
  }
}
