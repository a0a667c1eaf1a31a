import CGLib
import CRunLoopShims

// The one state machine. A pass has two halves: what is queued (observers, performs, signalled sources), and what the
// kernel, the clock and GLib have to say. Between them the loop may sleep. When Swift drives, `run` goes through both;
// when GLib drives, its poll lies between them, and the engine's dispatch does the second half of one pass and the
// first of the next (see GRunLoop+Host).

extension GRunLoop {
  /// One run. Nil if the mode has nothing to wait for.
  func run(_ mode: Mode, until limit: Int64, returnsAfterSource: Bool) -> RunResult? {
    guard mayRun(in: mode), let activation = pushActivation(mode, returnsAfterSource: returnsAfterSource) else {
      return nil
    }
    let outer = (driving: driving, turn: turn)
    turn = HostTurn()
    notify(.entry)
    var result = stopped(activation) ? RunResult.stopped : nil
    while result == nil { result = pass(activation, until: limit) }
    notify(.exit)
    (driving, turn) = outer
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

  private func stopped(_ activation: Activation) -> Bool { lock.withLock { activation.isStopped } }

  private func pass(_ activation: Activation, until limit: Int64) -> RunResult? {
    activation.handledSource = false
    firstHalf()
    let mustNotSleep = activation.handledSource || limit == .min || stopped(activation)
    secondHalf(activation, sleepingUntil: mustNotSleep ? .min : limit)
    return verdict(activation, limit)
  }

  private func verdict(_ activation: Activation, _ limit: Int64) -> RunResult? {
    if activation.returnsAfterSource && activation.handledSource { return .handledSource }
    if limit != .max, limit == .min || limit <= Timebase.monotonic.now { return .timedOut }
    return lock.withLock {
      if hasEnded || activation.isStopped { return .stopped }
      return isEmpty(activation.scope) ? .finished : nil
    }
  }

  /// What is queued has its turn.
  func firstHalf() {
    passNumber += 1
    lock.withLock { wakeRequested = false }
    runChores()
    notify(.beforeTimers)
    notify(.beforeSources)
    runPerforms(.default)
    if fireSignalledSources() { runPerforms(.default) }
  }

  // MARK: Observers

  func notify(_ activity: Activities) {
    // Relaxed: an observer that another thread is adding just now may as well be told of the next activity.
    guard observed.load(ordering: .relaxed) & activity.rawValue != 0 else { return }
    for observer in lock.withLock({ observers(of: activity) }) { observer.notify(activity, on: self) }
  }

  private func observers(of activity: Activities) -> [Observer] {
    var found = scope.state.observers.filter { $0.activities.contains(activity) }
    guard let common = scope.common, !common.observers.isEmpty else { return found }
    let own = found.count
    for observer in common.observers where observer.activities.contains(activity) {
      if observer.memberships.membership(in: scope.state) == nil { found.append(observer) }
    }
    if own > 0 && found.count > own {
      found.sort { ($0.order, $0.sequence) < ($1.order, $1.sequence) }
    }
    return found
  }

  // MARK: Sources

  /// Fires the sources that are signalled now, those of the running handlers' own signals not. True if any fired.
  private func fireSignalledSources() -> Bool {
    let signals: [Signal] = lock.withLock {
      var signals = scope.state.currentSignals()
      if let common = scope.common { signals += common.currentSignals() }
      return signals
    }
    guard !signals.isEmpty else { return false }
    var ordered = signals
    if ordered.count > 1 {
      ordered.sort { ($0.source.order, $0.sequence) < ($1.source.order, $1.sequence) }
    }
    let activation = activations.last
    var fired = false
    for signal in ordered where signal.source.fire(signal.sequence, on: self) {
      fired = true
      activation?.handledSource = true
      if activation?.returnsAfterSource ?? false { break }
    }
    return fired
  }

  // MARK: Timers and descriptors

  /// Fires what the kernel and the clock have made ready.
  func deliver() {
    fireDueTimers()
    fireReadyDescriptors()
  }

  private func fireDueTimers() {
    let now = readClocks()
    var due: [DueTimer] = []
    lock.withLock {
      for timebase in Timebase.allCases {
        scope.forEach { $0.heaps[timebase].appendDue(at: now[timebase], to: &due) }
      }
    }
    if due.count > 1 { due.sort { $0.precedes($1) } }
    for entry in due { entry.timer.fireIfDue(at: now, on: self) }
  }

  private func fireReadyDescriptors() {
    var ready: [ReadyDescriptor] = []
    let mainQueueIsReady = lock.withLock {
      var mainQueueIsReady = false
      var tags: [UInt64] = []
      for index in 0..<events.poll(waitSet.epoll) { tags.append(events.tags[index]) }
      for tag in tags {
        switch tag {
        case WaitSet.Tag.mainQueue: mainQueueIsReady = true
        case WaitSet.Tag.mode: scope.state.descriptors?.appendReady(to: &ready, using: events)
        case WaitSet.Tag.common: scope.common?.descriptors?.appendReady(to: &ready, using: events)
        default: waitSet.alarmRang(tag)
        }
      }
      // What the kernel does not tell of: regular files, and descriptors that were found closed.
      if !tags.contains(WaitSet.Tag.mode), let set = scope.state.descriptors, set.isAlwaysReady {
        set.appendReady(to: &ready, using: events)
      }
      if !tags.contains(WaitSet.Tag.common), let set = scope.common?.descriptors, set.isAlwaysReady {
        set.appendReady(to: &ready, using: events)
      }
      return mainQueueIsReady
    }
    if mainQueueIsReady { drainMainQueue() }
    guard !ready.isEmpty else { return }
    if ready.count > 1 { ready.sort { ($0.source.order, $0.source.sequence) < ($1.source.order, $1.source.sequence) } }
    let activation = activations.last
    for descriptor in ready where descriptor.source.fire(descriptor.events, on: self) {
      activation?.handledSource = true
      if activation?.returnsAfterSource ?? false { break }
    }
  }

  private func drainMainQueue() {
    guard let mainQueue else { return }
    guard lock.withLock({ mainQueue.beginDraining() }) else {
      return diagnose(
        "the main queue is not served: the default main context is driven by a thread that is not the process's first")
    }
    noteHandledSource()
    mainQueue.drain()
    lock.withLock {
      mainQueue.endDraining()
      mainQueue.setWatched(scope.common != nil, in: waitSet)
    }
  }
}
