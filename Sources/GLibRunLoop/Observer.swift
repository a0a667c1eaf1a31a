extension GRunLoop {
  /// The moments of a loop's turn that an observer can be told of. (`CFRunLoopActivity`)
  public struct Activities: OptionSet, Hashable, Sendable {
    /// Core Foundation's bits.
    public let rawValue: UInt

    /// A set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A run begins.
    public static let entry = Activities(rawValue: 1)
    /// A pass begins: timers will be looked at.
    public static let beforeTimers = Activities(rawValue: 2)
    /// Signalled sources and performs are about to have their turn.
    public static let beforeSources = Activities(rawValue: 4)
    /// The loop is about to sleep. Called only before a real sleep, never on a poll.
    public static let beforeWaiting = Activities(rawValue: 32)
    /// The loop has woken, and what woke it is not handled yet.
    public static let afterWaiting = Activities(rawValue: 64)
    /// A run ends, also one that was stopped or timed out.
    public static let exit = Activities(rawValue: 128)
    /// All of them.
    public static let all: Activities = [.entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit]

    static let waiting: Activities = [.beforeWaiting, .afterWaiting]
  }

  /// Is told when the loop comes to certain points of its turn. (`CFRunLoopObserver`)
  ///
  /// Observers are called by ascending order, equal orders as they were added. A handler may add and remove items,
  /// signal, perform, stop, and run the loop; while it runs it is not called again.
  ///
  /// When GLib drives there is no run that begins or ends, so that ``Activities/entry`` and ``Activities/exit`` come
  /// only from runs of the program's own; the others come in the same order as when Swift drives.
  public final class Observer: Item, @unchecked Sendable {
    // Invariant for @unchecked: as for Item; the handler is called and freed on the thread that its affinity names.

    /// What it is told of. (`CFRunLoopObserverGetActivities`)
    public let activities: Activities
    /// Whether it stays after its first call. (`CFRunLoopObserverDoesRepeat`)
    public let repeats: Bool
    private var handler: ((Observer, Activities) -> Void)?
    @exclusivity(unchecked) private var isFiring = false

    /// An observer that is added on this thread, to this thread's loop.
    ///
    /// - Parameters:
    ///   - activities: What it wants to be told of.
    ///   - repeats: False takes it out, for good, after its first call.
    ///   - order: The lower order is called first.
    ///   - handler: Called on the loop's thread with the observer and the one activity.
    public init(
      activities: Activities, repeats: Bool = true, order: Int = 0, handler: @escaping (Observer, Activities) -> Void
    ) {
      self.activities = activities
      self.repeats = repeats
      self.handler = handler
      super.init(order: order, priority: .default, affinity: .thisThread)
    }

    /// An observer whose handler is the main actor's: for ``GRunLoop/main`` only.
    public init(
      activities: Activities, repeats: Bool = true, order: Int = 0,
      handler: @escaping @MainActor (Observer, Activities) -> Void
    ) {
      self.activities = activities
      self.repeats = repeats
      self.handler = { observer, activity in MainActor.assumeIsolated { handler(observer, activity) } }
      super.init(order: order, priority: .default, affinity: .mainLoop)
    }

    /// An observer that can be added to any loop, from any thread.
    @_disfavoredOverload
    public init(
      activities: Activities, repeats: Bool = true, order: Int = 0,
      sendableHandler: @escaping @Sendable (Observer, Activities) -> Void
    ) {
      self.activities = activities
      self.repeats = repeats
      self.handler = sendableHandler
      super.init(order: order, priority: .default, affinity: .anyThread)
    }

    // MARK: For the engine

    override var keepsModeAlive: Bool { false }

    override func join(_ state: ModeState, of loop: GRunLoop) -> String? {
      state.enlist(self)
      if !activities.isDisjoint(with: .waiting) { loop.countWaitingObserver(1) }
      loop.observersChanged()
      return nil
    }

    override func leave(_ state: ModeState, of loop: GRunLoop) {
      state.delist(self)
      if !activities.isDisjoint(with: .waiting) { loop.countWaitingObserver(-1) }
      loop.observersChanged()
    }

    override func freeHandlers() {
      let handler = withLock {
        defer { self.handler = nil }
        return self.handler
      }
      withExtendedLifetime(handler) {}
    }

    /// Without the lock, on the loop's thread.
    func notify(_ activity: Activities, on loop: GRunLoop) {
      if loop.isForked { return }
      let handler: ((Observer, Activities) -> Void)? = loop.lock.withLock {
        guard isValid, !isFiring, loop.scopeState(of: self) != nil else { return nil }
        isFiring = true
        return self.handler
      }
      guard let handler else { return }
      let probed = loop.callBegins(.observer, self, detail: UInt32(activity.rawValue))
      handler(self, activity)
      loop.callEnds(probed)
      if loop.isForked { return }
      if !repeats { invalidate() }
      loop.lock.withLock { isFiring = false }
    }

    override var summary: String { "Observer of \(activities.rawValue)" }
  }
}
