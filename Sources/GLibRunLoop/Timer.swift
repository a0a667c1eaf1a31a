extension GRunLoop {
  /// A source of time: calls its handler once or again and again, when its date has come.
  ///
  /// ```swift
  /// let timer = GRunLoop.Timer(interval: .seconds(1), repeats: true, tolerance: .milliseconds(50)) { timer in
  ///   redraw()
  /// }
  /// GRunLoop.current.add(timer, forMode: .common)
  /// ```
  ///
  /// A repeating timer keeps its phase: its dates are the first one plus whole intervals, however late its calls
  /// were. Dates that were missed are made up for by a single call. That is so for any first date, before the machine's
  /// start too; only one in the distant past (``Instant/distantPast``) has no phase, and counts from its first call. A
  /// handler may run the loop; its own timer is not called again meanwhile, all others are.
  ///
  /// The counterparts are `CFRunLoopTimer` and `Foundation.Timer`. All methods can be called from every thread.
  public final class Timer: Item, @unchecked Sendable {
    // Invariant for @unchecked: as for Item; the handler is called and freed on the thread that its affinity names.

    private enum State {
      /// Stands in the heaps of its modes.
      case waiting
      /// Taken out of them by a pass that has not come to it yet.
      case due
      /// Due, and queued until GLib comes to its priority.
      case queued
      /// Its handler is being called; `moved` if its date was set meanwhile.
      case firing(moved: Bool)
    }

    // In this order it takes 120 bytes, the most that glibc's malloc frees without a search for neighbours.
    @exclusivity(unchecked) private var state = State.waiting
    let timebase: Timebase
    @exclusivity(unchecked) private(set) var date: Int64
    @exclusivity(unchecked) private var slack: Int64
    /// The interval; 0 for a one-shot.
    private let step: Int64
    @exclusivity(unchecked) private var handler: Handler?

    /// A closure in a type of its own: in a generic one it would be wrapped in another, and allocated once more.
    struct Handler {
      let call: (Timer) -> Void
    }

    /// A timer that is added on this thread, to this thread's loop.
    ///
    /// - Parameters:
    ///   - fireDate: When it first fires; one interval from now if not given. The clock of the date is the timer's.
    ///   - interval: The time between two calls. Zero or less, with `repeats`, means the smallest one: 0.1 ms.
    ///   - repeats: Whether it goes on after the first call; otherwise it is invalid after it.
    ///   - tolerance: How much later than its date it may fire, so that the loop can share wake-ups. Negative is zero.
    ///   - order: Among timers of equal dates, the lower order is called first.
    ///   - priority: When GLib lets it have its turn.
    ///   - handler: Called on the loop's thread with the timer.
    public convenience init(
      fireDate: Instant? = nil, interval: Duration = .zero, repeats: Bool = false, tolerance: Duration = .zero,
      order: Int = 0, priority: Priority = .default, handler: @escaping (Timer) -> Void
    ) {
      self.init(fireDate, interval, repeats, tolerance, order, priority, .thisThread, handler)
    }

    /// A timer whose handler is the main actor's: for ``GRunLoop/main`` only.
    public convenience init(
      fireDate: Instant? = nil, interval: Duration = .zero, repeats: Bool = false, tolerance: Duration = .zero,
      order: Int = 0, priority: Priority = .default, handler: @escaping @MainActor (Timer) -> Void
    ) {
      self.init(fireDate, interval, repeats, tolerance, order, priority, .mainLoop) { timer in
        MainActor.assumeIsolated { handler(timer) }
      }
    }

    /// A timer that can be added to any loop, from any thread.
    @_disfavoredOverload
    public convenience init(
      fireDate: Instant? = nil, interval: Duration = .zero, repeats: Bool = false, tolerance: Duration = .zero,
      order: Int = 0, priority: Priority = .default, sendableHandler: @escaping @Sendable (Timer) -> Void
    ) {
      self.init(fireDate, interval, repeats, tolerance, order, priority, .anyThread, sendableHandler)
    }

    /// Makes a timer and adds it to this thread's loop. (`Timer.scheduledTimer(withTimeInterval:repeats:block:)`)
    public static func scheduled(
      interval: Duration, repeats: Bool = false, tolerance: Duration = .zero, forMode mode: Mode = .default,
      fileID: StaticString = #fileID, line: UInt = #line, handler: @escaping (Timer) -> Void
    ) -> Timer {
      let timer = Timer(interval: interval, repeats: repeats, tolerance: tolerance, handler: handler)
      GRunLoop.current.add(timer, forMode: mode, fileID: fileID, line: line)
      return timer
    }

    private init(
      _ fireDate: Instant?, _ interval: Duration, _ repeats: Bool, _ tolerance: Duration, _ order: Int,
      _ priority: Priority, _ affinity: Affinity, _ handler: @escaping (Timer) -> Void
    ) {
      let nanoseconds = interval.wholeNanoseconds
      step = repeats ? (nanoseconds > 0 ? nanoseconds : Self.smallestStep) : 0
      timebase = fireDate?.timebase ?? .monotonic
      date = fireDate?.nanoseconds ?? timebase.now.addingSaturated(repeats ? step : max(0, nanoseconds))
      slack = Self.checkedTolerance(tolerance)
      self.handler = Handler(call: handler)
      super.init(order: order, priority: priority, affinity: affinity)
    }

    private static let smallestStep: Int64 = 100_000
    static let smallestInterval = Duration.nanoseconds(smallestStep)

    private static func checkedTolerance(_ tolerance: Duration) -> Int64 {
      if tolerance < .zero { diagnose("a timer's tolerance of \(tolerance) is negative; taken as zero") }
      return max(0, tolerance.wholeNanoseconds)
    }

    /// When the timer fires next. Setting it moves that call, also inside the timer's own handler, and also to a
    /// past date, which is due at once; later dates of a repeating timer follow from it. No effect once invalid.
    ///
    /// The date is one of the timer's own clock; one of another clock is converted as the clocks stand now.
    /// (`CFRunLoopTimerSetNextFireDate`)
    public var fireDate: Instant {
      get { withLock { Instant(nanoseconds: date, on: timebase) } }
      set {
        let date = newValue.nanoseconds(on: timebase)
        change(movesDate: true) { self.date = date }
      }
    }

    /// The time between two calls; zero for a one-shot. (`CFRunLoopTimerGetInterval`)
    public var interval: Duration { .nanoseconds(step) }

    /// Whether it fires again and again. (`CFRunLoopTimerDoesRepeat`)
    public var repeats: Bool { step > 0 }

    /// How much later than its date the timer may fire. It never fires earlier. (`CFRunLoopTimerSetTolerance`)
    public var tolerance: Duration {
      get { withLock { .nanoseconds(slack) } }
      set {
        let tolerance = Self.checkedTolerance(newValue)
        change(movesDate: false) { slack = tolerance }
      }
    }

    /// Calls the handler now, on the calling thread, which must be the one that the handler is for. Ends a
    /// one-shot; leaves the dates of a repeating timer as they are. (`Timer.fire()`)
    public func fire() {
      guard isValid, let handler = withLock({ handler }) else { return }
      if !affinityHolds {
        return diagnose("fire() of a timer was called on a thread that its handler is not made for; ignored")
      }
      handler.call(self)
      if !repeats { invalidate() }
    }

    private var affinityHolds: Bool {
      if affinity == .mainLoop { return GRunLoop.main.isCurrent }
      return affinity == .anyThread || affinity == .thisThread
    }

    // MARK: For the engine, under the lock unless said otherwise

    /// The last moment that the tolerance allows.
    var latestDate: Int64 { date.addingSaturated(slack) }

    /// Among equal dates.
    func precedes(_ other: Timer) -> Bool { (order, sequence) < (other.order, other.sequence) }

    @inline(__always)
    private func change(movesDate: Bool, _ body: () -> Void) {
      let wake: GRunLoop? = withHome { loop in
        if let loop, loop.refuseForked("a change of a timer") { return nil }
        let oldLatest = latestDate
        body()
        guard let loop else { return nil }
        switch state {
        case .firing: if movesDate { state = .firing(moved: true) }
        case .due: if movesDate { enterHeaps(of: loop) }
        case .queued: break
        case .waiting:
          slots.forEach { slot in
            slot.state.withHeap(on: timebase) { $0.move(self, at: slot.place, from: oldLatest) }
          }
          return loop.claimWake(before: self) ? loop : nil
        }
        return nil
      }
      wake?.signalWake()
    }

    override func join(_ state: ModeState, of loop: GRunLoop) -> String? {
      if timebase != .monotonic {
        if let failure = loop.waitSet.watchClock(timebase) { return failure.description }
        loop.sayRefusalsLater()
        loop.usesOtherClocks = true
      }
      if case .waiting = self.state {
        state.withHeap(on: timebase) { $0.insert(self, at: slots[state].place) }
      }
      return nil
    }

    override func leave(_ state: ModeState, of loop: GRunLoop) {
      let place = slots[state].place
      state.withHeap(on: timebase) { if $0.contains(place) { $0.remove(self, at: place) } }
    }

    private func leaveHeaps() {
      slots.forEach { slot in
        slot.state.withHeap(on: timebase) { if $0.contains(slot.place) { $0.remove(self, at: slot.place) } }
      }
    }

    private func enterHeaps(of loop: GRunLoop) {
      state = .waiting
      slots.forEach { slot in slot.state.withHeap(on: timebase) { $0.insert(self, at: slot.place) } }
      if timebase == .monotonic, loop.scopeState(of: self) != nil { loop.noteTimer(at: date) }
    }

    override func freeHandlers() {
      let handler = withLock { takeHandler() }
      withExtendedLifetime(handler) {}
    }

    private func takeHandler() -> Handler? {
      var taken: Handler?
      swap(&taken, &handler)
      return taken
    }

    var wakeBound: (timebase: Timebase, latest: Int64) { (timebase, latestDate) }

    var isDue: Bool {
      if case .due = state { return isValid }
      return false
    }

    /// It was taken out of a heap because its date has come.
    func becomeDue() {
      if slots.hasSeveral { leaveHeaps() }
      state = .due
    }

    /// The pass for which it was due will not come to it.
    func becomeWaiting(in loop: GRunLoop) {
      if case .due = state { enterHeaps(of: loop) }
    }

    /// In a pass that read the monotonic clock at `now`: what is to be called, if it is still due.
    func beginFiring(at now: Int64, on loop: GRunLoop) -> Handler? {
      switch state {
      case .due: break
      // Moved meanwhile, to another date that has passed.
      case .waiting where date <= (timebase == .monotonic ? now : timebase.now): leaveHeaps()
      case .waiting, .queued, .firing: return nil
      }
      guard isValid else { return nil }
      guard loop.scopeState(of: self) != nil else {
        enterHeaps(of: loop)
        return nil
      }
      if priority == .default { return beginFiring() }
      state = .queued
      loop.enqueueTurn(of: self)
      return nil
    }

    private func beginFiring() -> Handler? {
      state = .firing(moved: false)
      return handler
    }

    /// Its handler has returned. What is returned is to be freed without the lock.
    func endFiring(on loop: GRunLoop) -> Handler? {
      guard isValid, case .firing(let moved) = state else { return nil }
      if step == 0 {
        _ = markInvalid()
        _ = loop.detachFromAll(self)
        return takeHandler()
      }
      if !moved { date = Self.nextDate(after: timebase.now, from: date, step: step) }
      enterHeaps(of: loop)
      return nil
    }

    /// The turn of a timer whose priority is not the default.
    override func takeTurn(on loop: GRunLoop) {
      let handler: Handler? = loop.lock.withLock {
        guard case .queued = state, isValid else { return nil }
        loop.endTurn(of: self)
        // Moved, or not in the running mode any more: it waits like any other.
        guard date <= timebase.now, loop.scopeState(of: self) != nil else { return nil }
        leaveHeaps()
        return beginFiring()
      }
      guard let handler else { return }
      let probed = loop.callBegins(.timer, self)
      handler.call(self)
      loop.callEnds(probed)
      if loop.isForked { return }
      let waste = loop.lock.withLock { endFiring(on: loop) }
      withExtendedLifetime(waste) {}
    }

    override func turnEnded(on loop: GRunLoop) {
      if case .queued = state { enterHeaps(of: loop) }
    }

    /// The first of `date + k · step`, k ≥ 1, that is later than `now`, found in constant time.
    private static func nextDate(after now: Int64, from date: Int64, step: Int64) -> Int64 {
      // The distant past has no phase to keep; every other date has, also one before the clock's own zero.
      guard date > .min else { return now.addingSaturated(step) }
      guard date < now else { return date.addingSaturated(step) }
      // How far the last one of them is back, which is less than a step and not before `date`: `now` less that is in range.
      let rest = now.distance(since: date) % UInt64(step)
      return (now - Int64(rest)).addingSaturated(step)
    }

    override var summary: String {
      let left = Duration.nanoseconds(date.subtractingSaturated(timebase.now))
      return "Timer in \(left)\(repeats ? ", every \(interval)" : "")"
    }
  }
}
