import CGLib
import CRunLoopShims

// When GLib drives: the engine's source prepares, checks and dispatches. A dispatch does what comes after the sleep,
// and then what comes before the next one, so that the order is that of a pass.

/// Where a loop that GLib drives stands in its turn.
struct HostTurn {
  enum Phase {
    /// Turning.
    case awake
    /// A poll found nothing: before-waiting observers are to be called from dispatch, if check finds nothing either.
    case announce
    /// They were called; the next poll that waits is the sleep that they were told of.
    case announced
    /// That sleep is over; after-waiting observers are to be called before anything else.
    case slept
  }

  var phase = Phase.awake
  var hasBegun = false
  /// The observers of a pass's beginning have not been called since the last sleep.
  var firstHalfDue = true
  /// The dispatch to come is for chores, which are no pass.
  var hasOnlyChores = false
  /// The last poll was a sleep, for all that the engine knows.
  var hasSlept = false
  /// The sets in which the last turn found descriptors ready again; they often are once more.
  var readySets: WaitSet.News = []
  /// The news are these sets, and the wait set was not asked.
  var isGuessed = false
  /// How often that was so since the wait set was asked, and when that was.
  var guesses = 0
  var lastPoll: Int64 = 0
  /// It is for the loop's own work or chores that the next poll will not wait.
  var isOwnReady = false
}

extension GRunLoop {
  func hostPrepares(isChained: Bool) -> CInt {
    let timeout = hostTimeout(isChained: isChained)
    turn.isOwnReady = timeout == 0
    if timeout != 0 { waits.store(true, ordering: .relaxed) }
    return timeout
  }

  private func hostTimeout(isChained: Bool) -> CInt {
    noteThread()
    if isChained { PollChain.preparing = self }
    // A source whose time came meanwhile was dispatched instead.
    if turn.phase == .announce { turn.phase = .awake }
    // A GLib loop that is nested in a call-back: what the pass around it has taken is this one's.
    putBackRest()
    if beginningIsDue || (isPending(.own) && passNumber < nextVerification) { return 0 }
    lock.lock()
    defer { lock.unlock() }
    let date = prepareToSleep()
    if date > verificationDate, manualClock == nil {
      // A look that need not be exact.
      waitSet.setAlarm(.max, on: .monotonic)
      let rest = max(0, verificationDate.subtractingSaturated(Timebase.monotonic.now))
      return CInt(clamping: rest / 1_000_000 + 1)
    }
    switch date {
    case .min: return 0
    case .max:
      waitSet.setAlarm(.max, on: .monotonic)
      return -1
    case _ where manualClock != nil:
      // The poll function moves the time instead of sleeping.
      waitSet.setAlarm(.max, on: .monotonic)
      return date <= Timebase.monotonic.now ? 0 : -1
    default: return timeout(until: date)
    }
  }

  /// Under the lock. GLib's time-outs are whole milliseconds (exact ones came with 2.82, and only for its own poll
  /// function; a ready time, also one of 2.90's nanoseconds, costs a turn more and comes with the thread's timer slack).
  /// One that ends within a timer's tolerance is good; else the clock's descriptor ends the sleep.
  private func timeout(until date: Int64) -> CInt {
    let now = Timebase.monotonic.now
    let milliseconds = max(0, date.subtractingSaturated(now)) / 1_000_000
    var soonest = Int64.max
    scope.forEach { soonest = min(soonest, $0.timers.soonestDate) }
    // Rounded down, but not so that a timer is left out that would have shared the wake-up.
    let rounded = now.addingSaturated(milliseconds * 1_000_000)
    if soonest <= rounded, !scope.contains(where: { $0.timers.hasDate(after: rounded, upTo: date) }) {
      waitSet.setAlarm(.max, on: .monotonic)
      return CInt(clamping: milliseconds)
    }
    if let failure = waitSet.watchClock(.monotonic) {
      if timersAreCoarse { return CInt(clamping: milliseconds + 1) }
      timersAreCoarse = true
      diagnoseLater("timers come up to a millisecond late: \(failure)")
      return 0
    }
    timersAreCoarse = false
    sayRefusalsLater()
    waitSet.setAlarm(date, on: .monotonic)
    return -1
  }

  /// Observers of a pass's beginning must be called before the loop sleeps.
  private var beginningIsDue: Bool {
    let beginning: Activities = [.beforeTimers, .beforeSources]
    return turn.firstHalfDue && observed.load(ordering: .relaxed) & beginning.rawValue != 0  // Relaxed: as in `notify`.
  }

  func hostChecks(isReady: Bool) -> Bool {
    // Where prepare found work it announced no sleep.
    turn.hasOnlyChores = false
    if !isReady && !isSleeping && isPending(.queued) { return true }
    lock.lock()
    defer { lock.unlock() }
    turn.hasSlept = isSleeping
    // What prepare has taken is enough, until that is dealt with.
    endSleep(reporting: isReady && news.isEmpty ? waitSet.take(using: events) : [])
    wakeIsKnown(foreign: false, otherwise: .glib)
    if !news.isEmpty || beginningIsDue || isPending(.queued) || hasRest || hasDueTimer() { return true }
    turn.hasOnlyChores = isPending(.chores)
    return turn.hasOnlyChores
  }

  /// Finds what is ready, and fires it.
  private func hostDelivers() {
    let sets = news.intersection([.mode, .common])
    let now = look()
    if turn.isGuessed, readyDescriptors.isEmpty {
      lock.withLock {
        news.formUnion(waitSet.take(using: events))
        collectDescriptors()
      }
    }
    turn.isGuessed = false
    turn.readySets = readyDescriptors.isEmpty || turn.hasSlept ? [] : sets
    _ = fireCollected(now)
  }

  /// - Parameter announcing: The loop is about to sleep, and nothing else of the context's is dispatched with this.
  func hostDispatches(announcing: Bool = false) {
    let outer = driving
    driving = .glib
    hostTurnBegins()
    defer {
      hostTurnEnds()
      driving = outer
    }
    if turn.hasOnlyChores {
      turn.hasOnlyChores = false
      return doChores()
    }
    if turn.phase == .announced || turn.phase == .slept {
      // Work was found after the observers were told of a sleep: tell them that it is over, even so.
      hostWoke()
    }
    if turn.hasBegun && !isForked {
      hostDelivers()
      runPerforms(.default)
    }
    if (turn.firstHalfDue || !announcing) && !isForked {
      turn.hasBegun = true
      turn.firstHalfDue = false
      firstHalf()
    }
    guard announcing, !isForked else { return }
    turn.phase = .awake
    if lock.withLock({ isPending(.own) || hasDueTimer() }) { return }
    notify(.beforeWaiting)
    turn.phase = .announced
    // Such as for an observer that is gone now: what the next poll does not wait for is work then.
    if !isForked { doChores() }
  }

  func hostWoke() {
    turn.phase = .awake
    turn.firstHalfDue = true
    notify(.afterWaiting)
  }

  /// Under the lock: one more or one less observer, or manual clock, wants to hear of sleeps. The poll function is there
  /// while any does.
  func countWaitingObserver(_ change: Int) {
    waitingObservers += change
    guard observesWaiting != (waitingObservers > 0) else { return }
    observesWaiting = waitingObservers > 0
    // One for any number of changes.
    if chainIsStale { return }
    chainIsStale = true
    appendChore { [unowned self] in
      let on = lock.withLock {
        chainIsStale = false
        return observesWaiting
      }
      for binding in bindings { binding.setObservesWaiting(on, of: self) }
      if !on && turn.phase != .slept { turn.phase = .awake }
    }
  }

  /// On the loop's thread.
  var bindings: [ContextBinding] {
    [host] + lock.withLock { modes.values.compactMap(\.binding) } + (spareBinding.map { [$0] } ?? [])
  }

  /// Under the lock: makes sure that GLib knows of a priority.
  func openLane(_ priority: Priority) {
    guard lanes.insert(priority).inserted else { return }
    appendChore { [unowned self] in for binding in bindings { binding.addLane(priority, of: self) } }
  }
}
