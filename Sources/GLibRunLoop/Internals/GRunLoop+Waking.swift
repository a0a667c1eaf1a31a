import CRunLoopShims

extension GRunLoop {
  /// Ends the loop's sleep, or leaves out its next one. Wakes coalesce. (`CFRunLoopWakeUp`, `g_main_context_wakeup`)
  public func wakeUp() {
    if refuseForked("wakeUp()") { return }
    let wake = lock.withLock {
      claimWake(for: .wakeUp)
    }
    if wake { signalWake() }
  }

  /// Whether the loop sleeps at this moment, waiting for an event. (`CFRunLoopIsWaiting`)
  public var isWaiting: Bool { !isForked && waits.load(ordering: .relaxed) }

  // The protocol: the loop's thread looks at all its queues and sets `wakeNeeded` in one hold of the lock; whoever
  // adds work takes the flag in the same hold that adds it, and writes the eventfd after. So no wake is lost, a busy
  // loop is fed without a system call, and a burst writes once. A loop that spins is told in memory instead: see `Spin`.

  /// Under the lock: true if the caller must call `signalWake` after leaving it.
  @inline(__always)
  func claimWake() -> Bool { wakeNeeded && claimNeededWake() }

  private func claimNeededWake() -> Bool {
    // The loop's own thread looks at the queues before it sleeps, so it has nobody to wake unless it is in a poll.
    guard !hasEnded, !isForked, isSleeping || !isKnownToBeCurrent else { return false }
    wakeNeeded = false
    // It looks, and needs no waking. Relaxed: see `Spin`.
    if spin.compareExchange(expected: .looking, desired: .called, ordering: .relaxed).exchanged { return false }
    wakers.wrappingAdd(1, ordering: .relaxed)  // Relaxed: the lock orders it before the end's look at it.
    return true
  }

  /// Likewise, having said what it has to look at.
  @inline(__always)
  func claimWake(for work: Pending) -> Bool {
    setPending(work)
    return claimWake()
  }

  func claimWake(before timer: Timer) -> Bool {
    guard scopeState(of: timer) != nil else { return false }
    let (timebase, latest) = timer.wakeBound
    if timebase == .monotonic { noteTimer(at: timer.date) }
    if !wakeNeeded { return false }
    // Dates of the other clocks are set as alarms by the loop's thread; it must wake to do so.
    return (timebase != .monotonic || latest < announcedDate || !isSleeping) && claimWake()
  }

  func signalWake() {
    let probed = wakeBegins()
    waitSet.wake()
    wakeEnds(probed)
    // Releasing: the write is done before the end closes what is written to.
    let left = wakers.wrappingSubtract(1, ordering: .releasing).newValue
    if left == Self.wakersAreAwaited { withUnsafePointer(to: wakers) { grl_futex_wake($0) } }
  }

  private static let wakersAreAwaited: UInt32 = 1 << 31

  /// On the thread that ends the loop, after which nobody claims a wake-up: sleeps until the last one is written.
  func awaitWakers() {
    // Acquiring, here and below: the writes are done.
    var value = wakers.bitwiseOr(Self.wakersAreAwaited, ordering: .acquiring).newValue
    while value != Self.wakersAreAwaited {
      withUnsafePointer(to: wakers) { grl_futex_wait($0, value) }
      value = wakers.load(ordering: .acquiring)
    }
  }

  /// Runs a piece of work on the loop's thread, outside the lock: at once if this is it, else with its next turn.
  func chore(_ work: @escaping () -> Void) {
    if isCurrent {
      work()
      // GLib wakes nobody for what the context's own thread has attached.
      bell?.ring()
      return
    }
    let (wake, refused) = lock.withLock {
      if hasEnded { return (false, true) }
      appendChore(work)
      return (claimWake(), false)
    }
    if wake { signalWake() }
    if refused { work() }
  }

  /// Under the lock: says a line with the loop's next turn, since whoever reads the log may use the loop.
  func diagnoseLater(_ message: String) {
    appendChore { diagnose(message) }
    if claimWake() { signalWake() }
  }

  /// Under the lock.
  func appendChore(_ work: @escaping () -> Void) {
    chores.append(work)
    setPending(.chores)
  }

  /// On the loop's thread, without the lock.
  func doChores() {
    guard isPending(.chores), let chores = lock.withLock({ takeChores() }) else { return }
    for chore in chores { chore() }
  }

  /// Under the lock.
  func takeChores() -> [() -> Void]? {
    if chores.isEmpty { return nil }
    clearPending(.chores)
    defer { chores = [] }
    return chores
  }

  // MARK: Falling asleep, on the loop's thread

  /// Under the lock: says whether there is own work to do now, and if not announces the sleep. Returns the monotonic
  /// date at which to wake by itself: `.min` if there is work.
  ///
  /// - Parameter run: The run that wants to sleep; nil when GLib drives. That it was stopped or emptied must be seen in
  ///   this hold of the lock, too. (Not in ``Pending``: a GLib loop nested in a run that is stopped would spin.)
  func prepareToSleep(in run: Activation? = nil) -> Int64 {
    watchScope()
    let verificationIsDue = passNumber >= nextVerification
    if verificationIsDue { nextVerification = passNumber + 64 }
    let isInExchange = run?.isInExchange ?? false && manualClock == nil && !verificationIsDue
    if !isInExchange {
      if !descriptorsAreVerified, verifyDescriptors(verificationIsDue) { return .min }
      if scope.contains(where: { $0.descriptors?.hasUnverified ?? false }) {
        verifyTheRest()
      } else {
        verificationDate = .max
      }
    }
    // News may be left of a report that came before a nested run, or before the host's first turn.
    if isPending(.own) || !news.isEmpty { return .min }
    if hasRest { return .min }
    // A better priority's own source was asked before this, and nobody wrote a wake-up for what has come since.
    if isPending(.lanes), scope.contains(where: { $0.hasLaneWork }) { return .min }
    if let run, isStopped(run) || hasNothing(run) || run.expectation?.isFulfilled ?? false { return .min }
    var wakeDate = self.wakeDate(on: .monotonic)
    if usesOtherClocks {
      for timebase in [Timebase.continuous, .wall] {
        let date = self.wakeDate(on: timebase)
        waitSet.setAlarm(manualClock == nil ? date : .max, on: timebase)
        if date != .max, date <= timebase.now { return .min }
        // The kernel knows nothing of a manual clock, whose time all dates come in.
        if manualClock != nil { wakeDate = min(wakeDate, Instant(nanoseconds: date, on: timebase).monotonic) }
      }
    }
    // If nothing comes so soon, the next sleep is a real one.
    if isInExchange { wakeDate = min(wakeDate, Timebase.monotonic.now + Activation.exchangeNap) }
    if run != nil { wakeDate = min(wakeDate, verificationDate) }
    // Our driver waits until the date itself; the host set this for its own sleep, and the timer may have moved since.
    if run != nil { waitSet.setAlarm(.max, on: .monotonic) }
    isSleeping = true
    wakeNeeded = true
    announcedDate = wakeDate
    return wakeDate
  }

  /// Under the lock, on the loop's thread: whether performs that a pass around this one has taken are for this one, too.
  var hasRest: Bool { isInBatch && scope.contains { $0.taken.count > 0 } }

  /// Under the lock: when a timer of this clock must wake the loop.
  func wakeDate(on timebase: Timebase) -> Int64 {
    var date = Int64.max
    scope.forEach { state in date = min(date, state.withHeap(on: timebase) { $0.wakeDate }) }
    return date
  }

  /// Whether no call-back can have closed a descriptor since they were last looked at.
  private var descriptorsAreVerified: Bool {
    !scope.contains { set in set.descriptors.map { hasTurned || !$0.isVerified } ?? false }
  }

  /// epoll forgets a closed descriptor in silence, or goes on reporting one whose file lives on: so they are looked at
  /// before each sleep, and now and then while there is none. True if there is something to do instead of sleeping.
  private func verifyDescriptors(_ isDue: Bool) -> Bool {
    news.formUnion(guess() ?? waitSet.take(using: events))
    if !news.isEmpty && !isDue { return true }
    scope.forEach { $0.descriptors?.verifySome(hasTurned: hasTurned) }
    hasTurned = false
    lookAgain()
    return !news.isEmpty
  }

  /// How long the loop may sleep at first before it looks at the many descriptors that it has not looked at yet.
  private static let timeBetweenVerifications: Int64 = 100_000_000

  /// Some sixteen were looked at. The others are, too, before the loop sleeps, but not so often that it shows; within that
  /// time the sleep is cut short.
  private func verifyTheRest() {
    let now = Timebase.monotonic.now
    verificationDate = min(verificationDate, now.addingSaturated(Self.timeBetweenVerifications))
    let isTime = now >= verificationDate || now >= lastVerification.addingSaturated(Self.timeBetweenVerifications)
    guard isTime || manualClock != nil else { return }
    verificationDate = .max
    lastVerification = now
    scope.forEach { $0.descriptors?.verifyAll() }
    lookAgain()
  }

  /// Under the lock, when GLib drives: while descriptors are ready again and again, that is known without a call.
  private func guess() -> WaitSet.News? {
    guard !turn.readySets.isEmpty else { return nil }
    let now = Timebase.monotonic.now
    turn.guesses += 1
    turn.isGuessed =
      turn.guesses < Self.passesWithoutPollLimit
      && now.subtractingSaturated(turn.lastPoll) < Self.timeWithoutPollLimit
    if turn.isGuessed { return turn.readySets }
    (turn.guesses, turn.lastPoll) = (0, now)
    return nil
  }

  /// Under the lock: the sleep is over, or was not begun.
  func endSleep(reporting reported: WaitSet.News) {
    isSleeping = false
    wakeNeeded = false
    announcedDate = .max
    news.formUnion(reported)
  }

  /// Under the lock.
  func hasDueTimer() -> Bool {
    if scope.contains(where: { $0.timers.count > 0 }) {
      let now = Timebase.monotonic.now
      if scope.contains(where: { $0.timers.soonestDate <= now }) { return true }
    }
    guard usesOtherClocks else { return false }
    return [Timebase.continuous, .wall].contains { timebase in
      let now = timebase.now
      return scope.contains { state in state.withHeap(on: timebase) { $0.soonestDate <= now } }
    }
  }

  // MARK: Refusals

  @inline(__always)
  package func refuseForked(_ call: StaticString) -> Bool { isForked && refuse(call) }

  @inline(never)
  private func refuse(_ call: StaticString) -> Bool {
    diagnose("\(call) was ignored: \(Failure.forked)")
    return true
  }
}
