import CGLib
import CRunLoopShims

// The one state machine. A pass has two halves: what is queued (observers, performs, signalled sources), and what the
// kernel, the clock and GLib have to say. Between them the loop may sleep. When Swift drives, `run` goes through both;
// when GLib drives, its poll lies between them, and the engine's dispatch does the second half of one pass and the
// first of the next (see GRunLoop+Host). The lock is taken once for each thing that is looked for, and held in no call.

extension GRunLoop {
  /// One run. Nil if the mode has nothing to wait for.
  func run(_ mode: Mode, until limit: Int64, returnsAfterSource: Bool) -> RunResult? {
    guard mayRun(in: mode) else { return nil }
    putBackRest()
    guard let activation = pushActivation(mode) else { return nil }
    let outer = (driving, turn, handledSource, self.returnsAfterSource)
    turn = HostTurn()
    self.returnsAfterSource = returnsAfterSource
    notify(.entry)
    var result = isStopped(activation) ? RunResult.stopped : nil
    while result == nil { result = pass(activation, until: limit) }
    notify(.exit)
    (driving, turn, handledSource, self.returnsAfterSource) = outer
    popActivation(activation)
    return result
  }

  private func mayRun(in mode: Mode) -> Bool {
    let problem: String
    if isForked {
      problem = Failure.forked.description
    } else if !isCurrent {
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

  func isStopped(_ activation: Activation) -> Bool { activation.isStopped.load(ordering: .relaxed) }

  private func pass(_ activation: Activation, until limit: Int64) -> RunResult? {
    handledSource = false
    firstHalf()
    let mustNotSleep = handledSource || limit == .min || isStopped(activation)
    secondHalf(activation, sleepingUntil: mustNotSleep ? .min : limit)
    return verdict(activation, limit)
  }

  private func verdict(_ activation: Activation, _ limit: Int64) -> RunResult? {
    if returnsAfterSource && handledSource { return .handledSource }
    if limit != .max, limit == .min || limit <= Timebase.monotonic.now { return .timedOut }
    if isStopped(activation) { return .stopped }
    // Relaxed: whoever takes the last item out wakes the loop, which then looks under the lock.
    if activation.scope.contains(where: { $0.hasLiveItems }) { return nil }
    return lock.withLock { hasEnded || isEmpty(activation.scope) } ? .finished : nil
  }

  /// What is queued has its turn.
  func firstHalf() {
    passNumber += 1
    hasTurned = true
    wakeRequested.store(false, ordering: .relaxed)  // Relaxed: see its declaration.
    notify(.beforeTimers)
    notify(.beforeSources)
    putBackRest()
    lock.lock()
    let chores = takeChores()
    let batch = takeBatch(.default)
    if chores == nil && batch == nil { takeSignals() }
    lock.unlock()
    if chores != nil || batch != nil {
      if let chores { for chore in chores { chore() } }
      if let batch { run(batch) }
      lock.lock()
      if let batch { finish(batch) }
      takeSignals()
      lock.unlock()
    }
    if !signals.isEmpty, fireSignalledSources() { runPerforms(.default) }
  }

  // MARK: Observers

  @inline(__always)
  func notify(_ activity: Activities) {
    // Relaxed: an observer that another thread is adding just now may as well be told of the next activity.
    if observed.load(ordering: .relaxed) & activity.rawValue != 0 { callOut(activity) }
  }

  private func callOut(_ activity: Activities) {
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
    signals.removeAll(keepingCapacity: true)
    scope.forEach { $0.appendSignals(to: &signals) }
  }

  /// True if any fired.
  private func fireSignalledSources() -> Bool {
    var taken: [Signal] = []
    swap(&taken, &signals)
    if taken.count > 1 {
      taken.sort { ($0.source.order, $0.sequence) < ($1.source.order, $1.sequence) }
    }
    var fired = false
    for signal in taken where signal.source.fire(signal.sequence, on: self) {
      fired = true
      handledSource = true
      if returnsAfterSource { break }
    }
    taken.removeAll(keepingCapacity: true)
    swap(&taken, &signals)
    return fired
  }

  // MARK: Timers and descriptors

  /// Looks what is ready, once the wait set has been polled. Returns what the monotonic clock said.
  func look() -> Int64 {
    lock.lock()
    defer { lock.unlock() }
    let now = scope.contains(where: { $0.timers.count > 0 }) ? Timebase.monotonic.now : .min
    collect(polling: false, now: now)
    return now
  }

  /// Under the lock: finds what is ready at `now` on the monotonic clock.
  func collect(polling: Bool, now: Int64) {
    scope.forEach { $0.timers.appendDue(at: now, to: &dueTimers) }
    if usesOtherClocks {
      for timebase in [Timebase.continuous, .wall] {
        let reading = timebase.now
        scope.forEach { state in state.withHeap(on: timebase) { $0.appendDue(at: reading, to: &dueTimers) } }
      }
    }
    if polling { news.formUnion(waitSet.take(using: events)) }
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

  private func fireDueTimers(_ now: Int64) {
    var due: [DueTimer] = []
    swap(&due, &dueTimers)
    if due.count > 1 { due.sort { $0.precedes($1) } }
    for entry in due { entry.timer.fireIfDue(at: now, on: self) }
    if due.capacity > 4096 { return }
    due.removeAll(keepingCapacity: true)
    swap(&due, &dueTimers)
  }

  private func fireReadyDescriptors() {
    var ready: [ReadyDescriptor] = []
    swap(&ready, &readyDescriptors)
    if ready.count > 1 { ready.sort { ($0.source.order, $0.source.sequence) < ($1.source.order, $1.source.sequence) } }
    var previous: DescriptorSource?
    for descriptor in ready {
      // In the running mode and in the common set: it was found in both.
      if descriptor.source === previous { continue }
      previous = descriptor.source
      guard descriptor.source.fire(descriptor.events, on: self) else { continue }
      handledSource = true
      if returnsAfterSource { break }
    }
    if ready.capacity > 4096 { return }
    ready.removeAll(keepingCapacity: true)
    swap(&ready, &readyDescriptors)
  }

  private func drainMainQueue() {
    guard let mainQueue else { return }
    // Reported to GLib before a run in a private mode began: its turn comes when a common mode is back.
    if lock.withLock({ scope.common == nil && mainQueue.postpone() }) { return }
    guard lock.withLock({ mainQueue.beginDraining() }) else {
      return diagnose(
        "the main queue is not served: the default main context is driven by a thread that is not the process's first")
    }
    handledSource = true
    mainQueue.drain()
    lock.withLock {
      mainQueue.endDraining()
      mainQueue.setWatched(scope.common != nil, in: waitSet)
    }
  }
}
