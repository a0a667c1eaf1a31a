extension GRunLoop {
  /// A source that the program signals itself, from any thread: it then fires once on the loop's next pass.
  ///
  /// The usual use is a buffer of commands: the source's owner tells other threads of it from `onScheduled`, they put
  /// commands into the buffer and call ``signal(wakingLoop:)``, and the handler takes them all out.
  ///
  /// The counterpart is a version 0 `CFRunLoopSource`. All methods can be called from every thread.
  public final class Source: Item, @unchecked Sendable {
    // Invariant for @unchecked: as for Item; the closures are called and freed on the thread that its affinity names.

    /// What a source says when it joins or leaves a mode of a loop: itself, the loop, the mode.
    public typealias ModeHandler = (Source, GRunLoop, Mode) -> Void

    private var handler: ((Source) -> Void)?
    private var onScheduled: ModeHandler?
    private var onCancelled: ModeHandler?
    /// Signalled and not yet fired: the number of the signal.
    @exclusivity(unchecked) private(set) var signalled: UInt64?

    /// A source that is added on this thread, to this thread's loop.
    ///
    /// - Parameters:
    ///   - order: Of the sources that are ready in a pass, the lower order fires first.
    ///   - priority: When GLib lets it have its turn.
    ///   - onScheduled: Called for each mode that the source joins, on the thread that adds it.
    ///   - onCancelled: Called for each mode that it leaves, also when it is invalidated and when the loop ends.
    ///   - handler: Called on the loop's thread once for all signals since the last call.
    public init(
      order: Int = 0, priority: Priority = .default, onScheduled: ModeHandler? = nil,
      onCancelled: ModeHandler? = nil, handler: @escaping (Source) -> Void
    ) {
      self.handler = handler
      self.onScheduled = onScheduled
      self.onCancelled = onCancelled
      super.init(order: order, priority: priority, affinity: .thisThread)
    }

    /// A source whose handler is the main actor's: for ``GRunLoop/main`` only.
    public init(
      order: Int = 0, priority: Priority = .default,
      onScheduled: (@Sendable (Source, GRunLoop, Mode) -> Void)? = nil,
      onCancelled: (@Sendable (Source, GRunLoop, Mode) -> Void)? = nil, handler: @escaping @MainActor (Source) -> Void
    ) {
      self.handler = { source in MainActor.assumeIsolated { handler(source) } }
      self.onScheduled = onScheduled
      self.onCancelled = onCancelled
      super.init(order: order, priority: priority, affinity: .mainLoop)
    }

    /// A source that can be added to any loop, from any thread.
    @_disfavoredOverload
    public init(
      order: Int = 0, priority: Priority = .default,
      onScheduled: (@Sendable (Source, GRunLoop, Mode) -> Void)? = nil,
      onCancelled: (@Sendable (Source, GRunLoop, Mode) -> Void)? = nil,
      sendableHandler: @escaping @Sendable (Source) -> Void
    ) {
      self.handler = sendableHandler
      self.onScheduled = onScheduled
      self.onCancelled = onCancelled
      super.init(order: order, priority: priority, affinity: .anyThread)
    }

    /// Marks the source ready, and wakes its loop. Signals before the next call of the handler are one; a signal
    /// from within the handler leads to another call, in the next pass. A signal before the source is in a mode is
    /// kept. (`CFRunLoopSourceSignal` with `CFRunLoopWakeUp`)
    ///
    /// - Parameter wakingLoop: False leaves a sleeping loop asleep, until ``GRunLoop/wakeUp()`` or another event.
    public func signal(wakingLoop: Bool = true) {
      let wake = withHome { loop in
        guard isValid else { return false }
        guard let loop else {
          signalled = signalled ?? 0
          return false
        }
        if loop.refuseForked("signal()") { return false }
        let isInScope = loop.scopeState(of: self) != nil
        if signalled == nil, priority != .default, !slots.isEmpty {
          signalled = .max
          return loop.enqueueTurn(of: self, waking: wakingLoop)
        }
        if signalled == nil {
          signalled = loop.nextSequence()
          enterQueues()
          if isInScope { loop.setPending(.signals) }
        }
        return wakingLoop && isInScope && loop.claimWake()
      }
      if wake { loop?.signalWake() }
    }

    /// Whether it is signalled and its handler not yet called.
    public var isSignalled: Bool { withLock { signalled != nil } }

    // MARK: For the engine

    private func enterQueues() {
      slots.forEach { $0.state.list(self) }
    }

    override func join(_ state: ModeState, of loop: GRunLoop) -> String? {
      if isReady {
        // Before it was added there was no number to give.
        if signalled == 0 { signalled = loop.nextSequence() }
        state.list(self)
        if loop.scope.includes(state) { loop.setPending(.signals) }
      }
      return nil
    }

    override func leave(_ state: ModeState, of loop: GRunLoop) {
      guard slots[state].isListed else { return }
      state.unlist(self)
      loop.lookAgain()
    }

    /// Signalled, and not on its way to its turn already.
    var isReady: Bool {
      guard let signalled else { return false }
      return signalled != .max
    }

    override func didJoin(_ loop: GRunLoop, _ mode: Mode) { withLock { onScheduled }?(self, loop, mode) }
    override func didLeave(_ loop: GRunLoop, _ mode: Mode) { withLock { onCancelled }?(self, loop, mode) }
    override var announcesLeaving: Bool { onCancelled != nil }

    override func freeHandlers() {
      let handlers = withLock {
        defer { (handler, onScheduled, onCancelled) = (nil, nil, nil) }
        return (handler, onScheduled, onCancelled)
      }
      withExtendedLifetime(handlers) {}
    }

    /// Without the lock, on the loop's thread. True if the handler was called.
    func fire(_ signal: UInt64, on loop: GRunLoop) -> Bool {
      if loop.isForked { return false }
      loop.lock.lock()
      guard isValid, signalled == signal, loop.scopeState(of: self) != nil else {
        loop.lock.unlock()
        return false
      }
      guard priority == .default else {
        loop.enqueueTurn(of: self)
        // Off the list of the signalled, but not a second time ready until its turn has come.
        signalled = .max
        loop.lock.unlock()
        return false
      }
      signalled = nil
      let handler = handler
      loop.lock.unlock()
      guard let handler else { return false }
      let probed = loop.callBegins(.source, self)
      handler(self)
      loop.callEnds(probed)
      return true
    }

    override func takeTurn(on loop: GRunLoop) {
      let handler: ((Source) -> Void)? = loop.lock.withLock {
        guard isValid, signalled == .max else { return nil }
        loop.endTurn(of: self)
        guard loop.scopeState(of: self) != nil else { return nil }
        signalled = nil
        return self.handler
      }
      guard let handler else { return }
      loop.handledSource = true
      let probed = loop.callBegins(.source, self)
      handler(self)
      loop.callEnds(probed)
    }

    override func turnEnded(on loop: GRunLoop) {
      guard signalled == .max else { return }
      signalled = loop.nextSequence()
      enterQueues()
    }

    override var summary: String { "Source\(signalled == nil ? "" : ", signalled")" }
  }
}

/// A source that was signalled when a pass looked; stale once the source's number is another one.
struct Signal: BitwiseCopyable {
  /// Retained until the pass is done with it.
  let source: Unmanaged<GRunLoop.Source>
  let sequence: UInt64
  let order: Int

  func precedes(_ other: Signal) -> Bool { (order, sequence) < (other.order, other.sequence) }
}
