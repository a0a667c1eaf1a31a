extension GRunLoop {
  /// Ends the loop's sleep, or leaves out its next one. Wakes coalesce. (`CFRunLoopWakeUp`, `g_main_context_wakeup`)
  public func wakeUp() {
    if refuseForked("wakeUp()") { return }
    let wake = lock.withLock {
      wakeRequested = true
      return claimWake()
    }
    if wake { signalWake() }
  }

  /// Whether the loop sleeps at this moment, waiting for an event. (`CFRunLoopIsWaiting`)
  public var isWaiting: Bool { lock.withLock { isSleeping } }

  // The protocol: the loop's thread looks at all its queues and sets `wakeNeeded` in one hold of the lock; whoever
  // adds work takes the flag in the same hold that adds it, and writes the eventfd after. So no wake is lost, a busy
  // loop is fed without a system call, and a burst writes once.

  /// Under the lock: true if the caller must call `signalWake` after leaving it.
  func claimWake() -> Bool {
    guard wakeNeeded, !hasEnded, !isForked else { return false }
    wakeNeeded = false
    wakers.wrappingAdd(1, ordering: .relaxed)  // Relaxed: the lock orders it before the end's look at it.
    return true
  }

  func claimWake(before timer: Timer) -> Bool {
    guard scopeMembership(of: timer) != nil else { return false }
    let (timebase, latest) = timer.wakeBound
    // Dates of the other clocks are set as alarms by the loop's thread; it must wake to do so.
    return (timebase != .monotonic || latest < announcedDate || !isSleeping) && claimWake()
  }

  func signalWake() {
    waitSet.wake()
    wakers.wrappingSubtract(1, ordering: .releasing)  // Releasing: the write is done before the end closes it.
  }

  /// Runs a piece of work on the loop's thread, outside the lock: at once if this is it, else with its next turn.
  func chore(_ work: @escaping () -> Void) {
    if isCurrent { return work() }
    let (wake, refused) = lock.withLock {
      if hasEnded { return (false, true) }
      chores.append(work)
      return (claimWake(), false)
    }
    if wake { signalWake() }
    if refused { work() }
  }

  func runChores() {
    let due = lock.withLock {
      defer { chores = [] }
      return chores
    }
    for chore in due { chore() }
  }

  // MARK: Falling asleep, on the loop's thread

  /// Says whether there is own work to do now, and if not announces the sleep. Returns the monotonic date at which to
  /// wake for a timer: `.min` if there is work.
  func prepareToSleep() -> Int64 {
    lock.lock()
    defer { lock.unlock() }
    if hasOwnWork { return .min }
    // Closed descriptors are looked for only here, where nothing else is to do.
    scope.forEach { $0.descriptors?.verify() }
    if hasAlwaysReadyDescriptors { return .min }
    var wakeDate = Int64.max
    scope.forEach { wakeDate = min(wakeDate, $0.heaps[.monotonic].wakeDate) }
    for timebase in [Timebase.continuous, .wall] {
      var date = Int64.max
      scope.forEach { date = min(date, $0.heaps[timebase].wakeDate) }
      waitSet.setAlarm(date, on: timebase)
      if date != .max, date <= timebase.now { return .min }
    }
    isSleeping = true
    wakeNeeded = true
    announcedDate = wakeDate
    return wakeDate
  }

  /// The sleep is over, or was not begun.
  func awake() {
    lock.lock()
    isSleeping = false
    wakeNeeded = false
    announcedDate = .max
    lock.unlock()
  }

  /// Nobody iterates the context for now: new work must write the wake-up.
  func park() { lock.withLock { wakeNeeded = true } }

  /// Under the lock: whether a pass has something to do without being told by the kernel or the clock. Work of other
  /// priorities is not the pass's: their own sources tell GLib of it.
  var hasOwnWork: Bool {
    if wakeRequested || !chores.isEmpty { return true }
    return scope.contains { !$0.performs.isEmpty || $0.hasSignalled } || hasAlwaysReadyDescriptors
  }

  private var hasAlwaysReadyDescriptors: Bool { scope.contains { $0.descriptors?.isAlwaysReady ?? false } }

  func readClocks() -> ClockReadings {
    lock.withLock {
      ClockReadings(
        monotonic: scope.contains { $0.heaps[.monotonic].count > 0 },
        continuous: scope.contains { $0.heaps[.continuous].count > 0 },
        wall: scope.contains { $0.heaps[.wall].count > 0 })
    }
  }

  func hasDueTimer(at now: ClockReadings) -> Bool {
    lock.withLock {
      Timebase.allCases.contains { timebase in scope.contains { $0.heaps[timebase].soonestDate <= now[timebase] } }
    }
  }

  // MARK: Refusals

  func refuseForked(_ call: String) -> Bool {
    if isForked { diagnose("\(call) was ignored: \(Failure.forked)") }
    return isForked
  }
}
