import CGLib
import CRunLoopShims

// The one state machine. A pass has two halves: what is queued (observers, performs, signalled sources), and what the
// kernel, the clock and GLib have to say. Between them the loop may sleep. When Swift drives, `run` goes through both;
// when GLib drives, its poll lies between them, and the engine's dispatch does the second half of one pass and the
// first of the next (see GRunLoop+Host). The lock is taken once for each thing that is looked for, and held in no call.

extension GRunLoop {
  /// One run. Nil if the mode has nothing to wait for.
  func run(
    _ mode: Mode, until limit: Int64, returnsAfterSource: Bool, expecting expectation: Expectation? = nil
  ) -> RunResult? {
    guard mayRun(in: mode) else { return nil }
    putBackRest()
    guard let activation = pushActivation(mode, expecting: expectation) else { return nil }
    let outer = (driving, turn, handledSource, self.returnsAfterSource)
    turn = HostTurn()
    // Its passes tell the observers of their beginning; a GLib loop inside a call-back begins where that stands.
    turn.firstHalfDue = false
    self.returnsAfterSource = returnsAfterSource
    let probed = runBegins()
    notify(.entry)
    var result = isStopped(activation) ? RunResult.stopped : nil
    while result == nil { result = pass(activation, until: limit) }
    if isForked { return leaveForked(activation) }
    notify(.exit)
    runEnds(probed)
    (driving, turn, handledSource, self.returnsAfterSource) = outer
    popActivation(activation)
    return result
  }

  /// A call-back has forked, and this is the child: the run is the parent's. No lock is taken, which a thread that the
  /// child does not have may hold.
  private func leaveForked(_ activation: Activation) -> RunResult {
    diagnose("a run in mode \"\(activation.scope.state.mode)\" was ended: \(Failure.forked)")
    g_main_context_pop_thread_default(activation.binding.context)
    return .stopped
  }

  func mayRun(in mode: Mode) -> Bool {
    let problem: String
    if isForked {
      problem = Failure.forked.description
    } else if !isCurrent && !(isMadeForThisThread && waitForContext()) {
      problem = "only the loop's own thread can run it; use perform to get work there"
    } else if mode == .common {
      problem = "it is a set of modes; run in one of them, such as .default"
    } else if mode.rawValue.isEmpty {
      problem = "a mode needs a name"
    } else {
      return true
    }
    diagnose("a run in mode \"\(mode)\" was refused: \(problem)")
    return false
  }

  /// Another thread owns the context, perhaps for a moment. True once it does not.
  private func waitForContext() -> Bool {
    guard !lock.withLock({ hasEnded }), acquireContext() else { return false }
    g_main_context_release(context)
    return isCurrent
  }

  func isStopped(_ activation: Activation) -> Bool { activation.isStopped.load(ordering: .relaxed) }

  private func pass(_ activation: Activation, until limit: Int64) -> RunResult? {
    handledSource = false
    if !activation.isBehind { firstHalf() }
    if isForked { return .stopped }
    // A pass that found work does not sleep (O4). Where nobody is told of passes it may as well.
    let goesOn = handledSource && (returnsAfterSource || observed.load(ordering: .relaxed) != 0)
    let mustNotSleep = goesOn || limit == .min || isStopped(activation)
    secondHalf(activation, sleepingUntil: mustNotSleep ? .min : limit)
    if isForked { return .stopped }
    return verdict(activation, limit)
  }

  private func verdict(_ activation: Activation, _ limit: Int64) -> RunResult? {
    if returnsAfterSource && handledSource { return .handledSource }
    if let expectation = activation.expectation, expectation.isFulfilled { return .handledSource }
    if limit != .max, limit == .min || limit <= Timebase.monotonic.now { return .timedOut }
    if isStopped(activation) { return .stopped }
    // Relaxed: whoever takes the last item out wakes the loop, which then looks under the lock.
    if activation.scope.contains(where: { $0.hasLiveItems }) { return nil }
    return lock.withLock { hasEnded || hasNothing(activation) } ? .finished : nil
  }

  /// What is queued has its turn.
  func firstHalf() {
    passNumber += 1
    hasTurned = true
    passBegins()
    // What asks for a wake-up from now on asks for the next pass.
    if isPending(.wakeUp) { lock.withLock { clearPending(.wakeUp) } }
    notify(.beforeTimers)
    notify(.beforeSources)
    if isForked { return }
    putBackRest()
    guard isInBatch || isPending([.performs, .signals, .chores]) else { return }
    if isInBurst { letBurstGrow() }
    lock.lock()
    wakeNeeded = false
    let chores = takeChores()
    let batch = takeBatch(.default)
    if chores == nil && batch == nil { takeSignals() }
    lock.unlock()
    if chores != nil || batch != nil {
      if let chores { for chore in chores { chore() } }
      if let batch { runBatch(.default, in: batch) }
      guard isPending(.signals), !isForked else { return }
      lock.lock()
      takeSignals()
      lock.unlock()
    }
    if !signals.isEmpty, fireSignalledSources() { runPerforms(.default) }
  }

  /// Two to ten microseconds, as the processor is.
  private static let burstPauses = 200

  /// Another thread posts, at this moment, on another processor. A loop that takes each few posts at once makes that
  /// thread wait for the lock and its cache lines again and again, and gets less done itself: some microseconds later
  /// there are many.
  private func letBurstGrow() {
    guard isPending(.performs) else { return }
    for _ in 0..<Self.burstPauses { grl_pause() }
  }

  // MARK: Observers

  @inline(__always)
  func notify(_ activity: Activities) {
    // Relaxed: an observer that another thread is adding just now may as well be told of the next activity.
    if observed.load(ordering: .relaxed) & activity.rawValue != 0 { callOut(activity) }
  }

  private func callOut(_ activity: Activities) {
    if isForked { return }
    for observer in lock.withLock({ observers(of: activity) }) { observer.notify(activity, on: self) }
  }

  private func observers(of activity: Activities) -> [Observer] {
    var found = scope.state.observers.filter { $0.activities.contains(activity) }
    guard let common = scope.common, !common.observers.isEmpty else { return found }
    let own = found.count
    for observer in common.observers where observer.activities.contains(activity) {
      if !observer.slots.contains(scope.state) { found.append(observer) }
    }
    if own > 0 && found.count > own {
      found.sort { ($0.order, $0.sequence) < ($1.order, $1.sequence) }
    }
    return found
  }

  // MARK: Sources

  /// Under the lock: the sources that are signalled now; later signals are the next pass's.
  private func takeSignals() {
    guard isPending(.signals) else { return }
    clearPending(.signals)
    scope.forEach { $0.appendSignals(to: &signals) }
  }

  /// True if any fired.
  private func fireSignalledSources() -> Bool {
    var taken = Vector<Signal>()
    swap(&taken, &signals)
    taken.sort { $0.precedes($1) }
    var fired = false
    var isLeftOver = false
    for index in 0..<taken.count {
      let signal = taken[index]
      if fired && returnsAfterSource {
        isLeftOver = true
      } else if signal.source._withUnsafeGuaranteedRef({ $0.fire(signal.sequence, on: self) }) {
        fired = true
        handledSource = true
      }
      signal.source.release()
    }
    // A nested run that looked again took those that were still to fire for work that waits.
    let mayBeStale = taken.count > 1 && isPending(.signals)
    if (isLeftOver || mayBeStale) && !isForked { lock.withLock { lookAgain() } }
    taken.removeAll()
    swap(&taken, &signals)
    return fired
  }

  // MARK: Timers and descriptors

  /// Looks what is ready, once the wait set has been polled. Returns what the monotonic clock said.
  func look() -> Int64 {
    // Relaxed: a timer that another thread adds just now is seen before the loop sleeps.
    let date = nextTimerDate.load(ordering: .relaxed)
    let now = date == .max && !usesOtherClocks ? Int64.min : Timebase.monotonic.now
    if date <= now || usesOtherClocks || isPending(.descriptors) || !news.isDisjoint(with: [.mode, .common]) {
      lock.lock()
      collect(now: now)
      lock.unlock()
    }
    return now
  }

  /// Under the lock: finds what is ready at `now` on the monotonic clock, of what the wait set has reported.
  func collect(now: Int64) {
    dueTimers.begin(in: self)
    var heaps = 0
    if nextTimerDate.load(ordering: .relaxed) <= now {
      var soonest = Int64.max
      scope.forEach { state in
        if state.timers.soonestDate <= now {
          dueTimers.append(dueAt: now, from: &state.timers)
          heaps += 1
        }
        soonest = min(soonest, state.timers.soonestDate)
      }
      nextTimerDate.store(soonest, ordering: .relaxed)
    }
    if usesOtherClocks {
      for timebase in [Timebase.continuous, .wall] {
        let reading = timebase.now
        scope.forEach { state in
          state.withHeap(on: timebase) { dueTimers.append(dueAt: reading, from: &$0) }
        }
      }
      heaps += 2
    }
    if heaps > 1 { dueTimers.sort() }
    collectDescriptors()
  }

  /// Under the lock: those of `collect`.
  func collectDescriptors() {
    if let set = scope.state.descriptors, news.contains(.mode) || set.isAlwaysReady {
      set.appendReady(to: &readyDescriptors, using: events)
    }
    if let set = scope.common?.descriptors, news.contains(.common) || set.isAlwaysReady {
      set.appendReady(to: &readyDescriptors, using: events)
    }
  }

  /// True if there was anything.
  func fireCollected(_ now: Int64) -> Bool {
    let mainQueueIsReady = news.contains(.mainQueue)
    news = []
    var fired = mainQueueIsReady
    if !dueTimers.isEmpty {
      fired = true
      fireDueTimers(now)
    }
    if mainQueueIsReady { drainMainQueue() }
    if !readyDescriptors.isEmpty {
      fired = true
      fireReadyDescriptors()
    }
    return fired
  }

  /// One hold of the lock ends a timer's call and begins the next one's.
  private func fireDueTimers(_ now: Int64) {
    let places = dueTimers.beginFiring()
    var fired: Timer?
    for place in places {
      lock.lock()
      let waste = fired?.endFiring(on: self)
      let timer = dueTimers.take(place)
      let handler = timer.beginFiring(at: now, on: self)
      lock.unlock()
      withExtendedLifetime((waste, fired)) {}
      if let handler {
        let probed = callBegins(.timer, timer)
        handler.call(timer)
        callEnds(probed)
      }
      if isForked { return }
      fired = timer
    }
    lock.lock()
    let waste = fired?.endFiring(on: self)
    dueTimers.endFiring(places)
    lock.unlock()
    withExtendedLifetime((waste, fired)) {}
  }

  private func fireReadyDescriptors() {
    var ready = Vector<ReadyDescriptor>()
    swap(&ready, &readyDescriptors)
    ready.sort { $0.precedes($1) }
    let pass = passNumber
    var isOver = false
    for index in 0..<ready.count {
      let entry = ready[index]
      // In the running mode and in the common set: it was found in both.
      let isSecond = index > 0 && ready[index - 1].sequence == entry.sequence
      // A call-back has run the loop: what this one was found ready for may be used up.
      let mustAsk = passNumber != pass
      if !isOver, !isSecond,
        entry.source._withUnsafeGuaranteedRef({ $0.fire(entry.events, mustAsk: mustAsk, on: self) })
      {
        handledSource = true
        isOver = returnsAfterSource
      }
      entry.source.release()
    }
    ready.removeAll()
    swap(&ready, &readyDescriptors)
  }

  private func drainMainQueue() {
    guard let mainQueue, !isForked else { return }
    let problem: String? = lock.withLock {
      let isWanted = scope.common != nil && mainQueue.beginDraining()
      if isWanted { return nil }
      // It stays readable; its turn comes when a common mode is back, or its own block is over.
      mainQueue.setWatched(false, in: waitSet)
      return mainQueue.problem ?? ""
    }
    if let problem {
      if !problem.isEmpty { diagnose(problem) }
      return
    }
    handledSource = true
    let probed = callBegins(.mainQueue)
    mainQueue.drain()
    callEnds(probed)
    if isForked { return }
    lock.withLock {
      mainQueue.endDraining()
      mainQueue.setWatched(scope.common != nil, in: waitSet)
    }
  }
}
