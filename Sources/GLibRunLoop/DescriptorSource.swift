import CRunLoopShims

extension GRunLoop {
  /// Fires while a file descriptor is ready: level-triggered, as with poll(2).
  ///
  /// The loop never reads or writes the descriptor. Sockets, pipes, terminals, eventfds and inotify descriptors work;
  /// a regular file is always ready, as poll(2) says. Any number of sources may watch one descriptor.
  ///
  /// A pass asks the kernel once for all descriptors. What a handler does to another source counts at once: one that was
  /// paused, invalidated or given other ``events`` is not called for what it no longer waits for. If a handler runs the
  /// loop, the kernel is asked again about each of the others before its call. What a handler reads from another source's
  /// descriptor is not noticed until the next pass, so do not block when you read.
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

      /// Poll(2)'s answer, without what epoll(7) does not know.
      init(poll bits: UInt16) { self.init(epoll: UInt32(bits) & ~Self.invalid.rawValue) }

      /// What the kernel is to be asked for. Errors and hang-ups it reports anyway.
      var epoll: UInt32 { rawValue & 7 | (contains(.hungUp) ? EPOLLRDHUP.rawValue : 0) }
    }

    /// The descriptor that is watched. It remains the caller's.
    public let fileDescriptor: CInt
    private var handler: ((DescriptorSource, Events) -> Void)?
    @exclusivity(unchecked) private(set) var interest: Events
    /// What it was ready for when it was queued until GLib comes to its priority.
    @exclusivity(unchecked) private var queued: Events?
    /// The pass that found it.
    @exclusivity(unchecked) private var queuedIn: UInt64 = 0

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
      // The kernel tells a loop that sleeps of all that it can. Of a regular file, or a closed descriptor, it cannot.
      if loop.isPending(.descriptors), loop.claimWake() { loop.signalWake() }
    }

    /// What the descriptor is ready for at this moment, of what it was found ready for. On the loop's thread.
    func stillReady(for events: Events) -> Events {
      if events.contains(.invalid) { return events }
      var polled = GPollFD(fd: fileDescriptor, events: UInt16(truncatingIfNeeded: events.epoll), revents: 0)
      // What cannot be asked, for want of memory, is as it was found.
      if grl_poll(&polled, 1, 0) < 0 { return events }
      return Events(poll: polled.revents).intersection(events)
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
    ///
    /// - Parameter mustAsk: Something may have used up what it was found ready for.
    func fire(_ events: Events, mustAsk: Bool, on loop: GRunLoop) -> Bool {
      if loop.isForked { return false }
      let ready = mustAsk ? stillReady(for: events) : events
      loop.lock.lock()
      guard isValid, queued == nil, let ready = relevant(ready), loop.scopeState(of: self) != nil else {
        loop.lock.unlock()
        return false
      }
      guard priority == .default else {
        (queued, queuedIn) = (ready, loop.passNumber)
        refresh()
        loop.enqueueTurn(of: self)
        loop.lock.unlock()
        return false
      }
      let handler = handler
      loop.lock.unlock()
      guard let handler else { return false }
      call(handler, ready, on: loop)
      return true
    }

    /// Under the lock: what the handler is to be told, of what the descriptor is ready for. Nil if nothing.
    private func relevant(_ ready: Events) -> Events? {
      if ready.contains(.invalid) { return ready }
      if interest.isEmpty { return nil }
      let told = ready.intersection(interest.union([.error, .hungUp]))
      return told.isEmpty ? nil : told
    }

    override func takeTurn(on loop: GRunLoop) {
      guard let found = loop.lock.withLock({ queued }) else { return }
      let ready = queuedIn == loop.passNumber ? found : stillReady(for: found)
      let turn: (handler: (DescriptorSource, Events) -> Void, events: Events)? = loop.lock.withLock {
        guard isValid, queued != nil else { return nil }
        loop.endTurn(of: self)
        guard let events = relevant(ready), loop.scopeState(of: self) != nil, let handler else { return nil }
        return (handler, events)
      }
      guard let turn else { return }
      loop.handledSource = true
      call(turn.handler, turn.events, on: loop)
    }

    override func turnEnded(on loop: GRunLoop) {
      guard queued != nil else { return }
      queued = nil
      refresh()
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
