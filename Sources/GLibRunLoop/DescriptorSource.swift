import CRunLoopShims

extension GRunLoop {
  /// Fires while a file descriptor is ready: level-triggered, as with poll(2).
  ///
  /// The loop never reads or writes the descriptor. Sockets, pipes, terminals, eventfds and inotify descriptors work;
  /// a regular file is always ready, as poll(2) says. Any number of sources may watch one descriptor.
  ///
  /// Invalidate the source before the descriptor is closed. If it was closed first, the handler is called once with
  /// ``Events/invalid`` and the source is gone; with many descriptors in a mode that may take some turns of the loop.
  ///
  /// The counterparts are `CFFileDescriptor` and `g_unix_fd_source_new`.
  public final class DescriptorSource: Item, @unchecked Sendable {
    // Invariant for @unchecked: as for Item; the handler is called and freed on the thread that its affinity names.

    /// What a descriptor is ready for.
    public struct Events: OptionSet, Hashable, Sendable {
      /// Poll(2)'s bits.
      public let rawValue: UInt32

      /// A set from its bits.
      public init(rawValue: UInt32) { self.rawValue = rawValue }

      /// A read would not block. (`POLLIN`)
      public static let readable = Events(rawValue: 1)
      /// There is urgent data. (`POLLPRI`)
      public static let urgent = Events(rawValue: 2)
      /// A write would not block. (`POLLOUT`)
      public static let writable = Events(rawValue: 4)
      /// There is an error to be fetched. Reported whether asked for or not. (`POLLERR`)
      public static let error = Events(rawValue: 8)
      /// The other end is gone. Reported whether asked for or not; if asked for, also when a socket's peer only
      /// stopped sending. (`POLLHUP`, `POLLRDHUP`)
      public static let hungUp = Events(rawValue: 16)
      /// The descriptor is not open. Reported once, whether asked for or not. (`POLLNVAL`)
      public static let invalid = Events(rawValue: 32)

      // The bits are those of poll(2) and epoll(7), but that a peer who only stopped sending counts as hung up.

      init(epoll bits: UInt32) {
        self.init(rawValue: bits & 31 | (bits & EPOLLRDHUP.rawValue != 0 ? Self.hungUp.rawValue : 0))
      }

      /// What the kernel is to be asked for. Errors and hang-ups it reports anyway.
      var epoll: UInt32 { rawValue & 7 | (contains(.hungUp) ? EPOLLRDHUP.rawValue : 0) }
    }

    /// The descriptor that is watched. It remains the caller's.
    public let fileDescriptor: CInt
    private var handler: ((DescriptorSource, Events) -> Void)?
    @exclusivity(unchecked) private(set) var interest: Events
    /// What it was ready for when it was queued until GLib comes to its priority.
    @exclusivity(unchecked) private var queued: Events?

    /// A source that is added on this thread, to this thread's loop.
    ///
    /// - Parameters:
    ///   - fileDescriptor: An open descriptor.
    ///   - events: What to watch for; can be changed later.
    ///   - order: Of the descriptors that are ready in a pass, the lower order fires first.
    ///   - priority: When GLib lets it have its turn.
    ///   - handler: Called on the loop's thread with what the descriptor is ready for.
    public init(
      fileDescriptor: CInt, events: Events, order: Int = 0, priority: Priority = .default,
      handler: @escaping (DescriptorSource, Events) -> Void
    ) {
      self.fileDescriptor = fileDescriptor
      self.interest = events
      self.handler = handler
      super.init(order: order, priority: priority, affinity: .thisThread)
    }

    /// A source whose handler is the main actor's: for ``GRunLoop/main`` only.
    public init(
      fileDescriptor: CInt, events: Events, order: Int = 0, priority: Priority = .default,
      handler: @escaping @MainActor (DescriptorSource, Events) -> Void
    ) {
      self.fileDescriptor = fileDescriptor
      self.interest = events
      self.handler = { source, events in MainActor.assumeIsolated { handler(source, events) } }
      super.init(order: order, priority: priority, affinity: .mainLoop)
    }

    /// A source that can be added to any loop, from any thread.
    @_disfavoredOverload
    public init(
      fileDescriptor: CInt, events: Events, order: Int = 0, priority: Priority = .default,
      sendableHandler: @escaping @Sendable (DescriptorSource, Events) -> Void
    ) {
      self.fileDescriptor = fileDescriptor
      self.interest = events
      self.handler = sendableHandler
      super.init(order: order, priority: priority, affinity: .anyThread)
    }

    /// What is watched for. Setting it to nothing pauses the source; a hang-up is not reported meanwhile.
    public var events: Events {
      get { withLock { interest } }
      set {
        if let loop, loop.refuseForked("a change of a descriptor source") { return }
        withLock {
          interest = newValue
          refresh()
        }
      }
    }

    // MARK: For the engine

    /// Under the lock: what the kernel is to be asked for on this source's behalf.
    var wanted: UInt32? {
      queued == nil && !interest.isEmpty ? interest.epoll : nil
    }

    private func refresh() {
      guard let loop else { return }
      slots.forEach { $0.state.descriptors?.refresh(fileDescriptor) }
      loop.lookAgain()
      // A loop that slept without end because nothing was asked for learns of an always-ready file only so.
      if loop.claimWake() { loop.signalWake() }
    }

    override func join(_ state: ModeState, of loop: GRunLoop) -> String? {
      let problem = state.descriptorSet(of: loop).add(self)
      loop.lookAgain()
      return problem
    }

    override func leave(_ state: ModeState, of loop: GRunLoop) {
      state.descriptors?.remove(self)
      loop.lookAgain()
    }

    override func freeHandlers() {
      let handler = withLock {
        defer { self.handler = nil }
        return self.handler
      }
      withExtendedLifetime(handler) {}
    }

    /// Without the lock, on the loop's thread. True if the handler was called.
    func fire(_ events: Events, on loop: GRunLoop) -> Bool {
      if loop.isForked { return false }
      loop.lock.lock()
      guard isValid, queued == nil, let mode = loop.scopeState(of: self) else {
        loop.lock.unlock()
        return false
      }
      guard priority == .default else {
        queued = events
        refresh()
        loop.enqueueTurn(of: self, in: mode)
        loop.lock.unlock()
        return false
      }
      let handler = handler
      loop.lock.unlock()
      guard let handler else { return false }
      call(handler, events, on: loop)
      return true
    }

    override func takeTurn(on loop: GRunLoop) {
      let turn: (handler: ((DescriptorSource, Events) -> Void)?, events: Events)? = loop.lock.withLock {
        guard isValid, let events = queued else { return nil }
        queued = nil
        refresh()
        return loop.scopeState(of: self) != nil ? (handler, events) : nil
      }
      guard let turn, let handler = turn.handler else { return }
      loop.handledSource = true
      call(handler, turn.events, on: loop)
    }

    private func call(_ handler: (DescriptorSource, Events) -> Void, _ events: Events, on loop: GRunLoop) {
      let probed = loop.callBegins(.descriptor, self, detail: UInt32(bitPattern: fileDescriptor))
      handler(self, events)
      loop.callEnds(probed)
      if events.contains(.invalid) { invalidate() }
    }

    override var summary: String { "DescriptorSource of \(fileDescriptor)" }
  }
}
