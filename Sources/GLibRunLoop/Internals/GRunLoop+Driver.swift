import CGLib
import CRunLoopShims

// When Swift drives: GLib's steps by hand, prepare, query, poll, check and dispatch, so that the host context's own
// sources live on, the sleep is exact to the nanosecond, and observers are told of it.

extension GRunLoop {
  private static let passesWithoutStepsLimit = 64
  private static let timeWithoutStepsLimit: Int64 = 100_000
  static let passesWithoutPollLimit = 8
  static let timeWithoutPollLimit: Int64 = 10_000
  private static let longestNap: Int64 = 10_000_000

  /// Sleeps if it may, then delivers what is ready.
  func secondHalf(_ activation: Activation, sleepingUntil limit: Int64) {
    if deliverWithoutSteps(activation) { return }
    let poll = limit == .min || (limit != .max && limit <= Timebase.monotonic.now)
    var found: Found
    // Relaxed: as in `notify`.
    if !poll, observed.load(ordering: .relaxed) & Activities.waiting.rawValue != 0 {
      // Observers hear only of real sleeps, so look first whether this will be one.
      found = step(activation, until: .min)
      if !found.anything {
        notify(.beforeWaiting)
        if isForked { return }
        found = step(activation, until: limit)
        notify(.afterWaiting)
        if isForked { return }
      }
    } else {
      found = step(activation, until: poll ? .min : limit)
    }
    activation.isBehind = found.isBetter
    if !found.isBetter && !found.isEnginesTurn { deliver(activation) }
    if let expectation = activation.expectation, expectation.isReady, !isForked {
      expectation.isReady = false
      handledSource = true
      expectation.whenReady()
    }
    if found.foreign && !isForked {
      if found.callsOthers { handledSource = true }
      undelivered = found.isEnginesTurn ? activation : nil
      dispatch(activation)
      undelivered = nil
    }
    if !found.isBetter { runPerforms(.default) }
    activation.lastSteps = Timebase.monotonic.now
    activation.lastPoll = activation.lastSteps
    // After foreign work more of it may be ready: look again at once.
    activation.passesWithoutSteps = found.foreign ? Self.passesWithoutStepsLimit : 0
  }

  /// What is ready has its turn.
  private func deliver(_ activation: Activation) {
    let now = look()
    let areReadyAgain = !readyDescriptors.isEmpty && !activation.hasSlept
    activation.readySets = areReadyAgain ? news.intersection([.mode, .common]) : []
    _ = fireCollected(now)
  }

  /// GLib dispatches the engine's source, in a dispatch that our driver called: its place among the others has come.
  func deliverInDispatch() {
    guard let activation = undelivered.take(), !isForked else { return }
    deliver(activation)
  }

  /// With own work waiting GLib is not asked in each pass, nor is the wait set, but so often that nobody notices.
  /// Likewise while descriptors are ready again and again. True if the pass's second half is done.
  private func deliverWithoutSteps(_ activation: Activation) -> Bool {
    guard activation.passesWithoutSteps < Self.passesWithoutStepsLimit else { return false }
    let hasWork = isPending(.own)
    guard hasWork || !activation.readySets.isEmpty, !isPending(.lanes) else { return false }
    let now = Timebase.monotonic.now
    guard now.subtractingSaturated(activation.lastSteps) < Self.timeWithoutStepsLimit else { return false }
    activation.passesWithoutSteps += 1
    if activation.passesWithoutSteps % Self.passesWithoutPollLimit == 0
      || now.subtractingSaturated(activation.lastPoll) >= Self.timeWithoutPollLimit
    {
      activation.lastPoll = now
      lock.lock()
      news.formUnion(waitSet.take(using: events))
      collect(now: now)
      lock.unlock()
      activation.readySets = news.intersection([.mode, .common])
    } else if !activation.readySets.isEmpty || isPending(.descriptors)
      || nextTimerDate.load(ordering: .relaxed) <= now || usesOtherClocks
    {
      // The sets that had something are asked themselves.
      news.formUnion(activation.readySets)
      lock.lock()
      collect(now: now)
      lock.unlock()
    }
    if readyDescriptors.isEmpty { activation.readySets = [] }
    // If nothing came, the performs that wait have their turn in the pass that follows at once.
    let fired = fireCollected(now)
    if fired { runPerforms(.default) }
    return hasWork || fired
  }

  private struct Found {
    /// GLib has sources ready; they must be dispatched, or their references leak.
    var foreign: Bool
    /// They are of better priorities than the loop's own work, which is ready, too.
    var isBetter = false
    /// The engine's source is among them, in whose dispatch the own work is done.
    var isEnginesTurn = false
    /// They are not the engine's alone.
    var callsOthers = false
    var anything: Bool
  }

  /// GLib's steps up to check. A sleep that ends for nothing goes on, as it does when GLib drives: GLib wakes a context
  /// also for each descriptor that it is given.
  private func step(_ activation: Activation, until limit: Int64) -> Found {
    while true {
      doChores()
      let found = stepOnce(activation, until: limit)
      if found.anything || limit == .min || (limit != .max && limit <= Timebase.monotonic.now) { return found }
    }
  }

  private func stepOnce(_ activation: Activation, until limit: Int64) -> Found {
    let context = activation.binding.context
    let outer = driving
    driving = .steps
    defer { driving = outer }

    waitSet.forgetHost()
    var priority: CInt = 0
    let isPrepared = g_main_context_prepare(context, &priority) != 0
    var foreignTimeout: CInt = -1
    var count: CInt = 0
    while true {
      count = g_main_context_query(context, priority, &foreignTimeout, activation.descriptors, activation.capacity)
      // Room for what the poll adds.
      if count + 2 <= activation.capacity { break }
      activation.grow(to: count)
    }
    lock.lock()
    let ownDate = prepareToSleep(in: activation)
    let date = min(ownDate, limit)
    let spinTime = date != .min && foreignTimeout != 0 ? beginSpin() : 0
    let isTimed = activation.scope.contains { $0.descriptors != nil }
    lock.unlock()
    let began = isTimed ? Timebase.monotonic.now : 0
    let duration: Int64
    if date == .min || foreignTimeout == 0 || isSleptThroughByHand(until: limit) {
      duration = 0
    } else {
      let own =
        date == .max || manualClock != nil ? Int64.max : max(0, date.subtractingSaturated(Timebase.monotonic.now))
      let foreign = foreignTimeout < 0 ? Int64.max : Int64(foreignTimeout) * 1_000_000
      duration = min(own, foreign)
    }
    pollBegins(sleeps: duration != 0)
    if duration != 0 { waits.store(true, ordering: .relaxed) }
    let (reported, failure) =
      spinTime == 0
      ? poll(activation, count, duration) : spinThenSleep(activation, count, duration, spinning: spinTime)
    if duration != 0 { waits.store(false, ordering: .relaxed) }
    pollEnds(isForeign: false)
    if let failure { pollFailed(failure, duration) }
    pollFails = failure != nil
    lock.lock()
    endSleep(reporting: reported)
    sayRefusalsLater()
    if spinTime != 0 { endSpin() }
    let isOwnReady = !news.isEmpty || isPending(.queued) || hasRest || hasDueTimer()
    lock.unlock()
    let descriptors = activation.foreignDescriptors(count, but: waitSet.epoll)
    arbitration = Arbitration(tells: isOwnReady && (foreignTimeout == 0 || descriptors > 0))
    let foreign = g_main_context_check(context, priority, activation.descriptors, count) != 0
    activation.binding.findWakeDescriptor(among: activation.descriptors, count, for: waitSet)
    let anything =
      foreign || isOwnReady || ownDate == .min || isPending(.queued) || activation.expectation?.isReady ?? false
    var isLater = false
    lock.lock()
    wakeIsKnown(foreign: foreign, otherwise: .other)
    if !anything && limit != .min { passTime(until: limit) }
    activation.lastWait = anything && isTimed && duration > 0 ? Timebase.monotonic.now - began : 0
    isLater = !anything && manualClock != nil && hasDueTimer()
    lock.unlock()
    return Found(
      foreign: foreign, isBetter: foreign && isOwnReady && !arbitration.wasAsked,
      isEnginesTurn: foreign && arbitration.isEnginesTurn,
      callsOthers: foreign
        && arbitration.callsOthers(prepared: isPrepared ? priority : nil, descriptors: descriptors),
      anything: anything || isLater)
  }

  /// The kernel is asked, for so many nanoseconds at most; `.max` is without end.
  func poll(_ activation: Activation, _ count: CInt, _ duration: Int64) -> Report {
    activation.binding.poll(
      activation.descriptors, count, duration == .max ? -1 : duration, with: waitSet, using: events,
      expecting: activation.expectation)
  }

  /// Own work goes on without poll, and so do GLib's time-outs; a nap instead of the sleep keeps the loop from spinning.
  private func pollFailed(_ failure: SystemFailure, _ duration: Int64) {
    if pollFails { return grl_nap(min(duration, Self.longestNap)) }
    lock.withLock { diagnoseLater("GLib's descriptors are not watched for now: \(failure)") }
  }

  private func dispatch(_ activation: Activation) {
    let outer = driving
    driving = .dispatch(depth: g_main_depth())
    let probed = callBegins(.foreignWork)
    g_main_context_dispatch(activation.binding.context)
    callEnds(probed)
    driving = outer
  }
}
