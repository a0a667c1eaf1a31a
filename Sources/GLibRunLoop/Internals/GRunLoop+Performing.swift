import Synchronization

// How performs are queued, taken and run. A pass takes all that waits in its modes, and runs it without the lock. What it
// has not come to stays in its mode's line: a run inside one of them goes on there with the next.

extension GRunLoop {
  // MARK: Queueing, on any thread

  /// Queues a plain perform in the common modes. False if the loop takes no work any more; it is then freed here.
  @discardableResult
  @inline(__always)
  func enqueue(_ work: consuming PerformEntry.Work, rank: UInt8 = PerformEntry.rank) -> Bool {
    if refuseForked("a perform") { return false }
    lock.lock()
    if hasEnded {
      lock.unlock()
      return false
    }
    common.waiting.append(work, nextSequence(), rank: rank)
    if !isKnownToBeCurrent { hasPostsOfOthers = true }
    let wake = scope.common != nil && claimWake(for: .performs)
    lock.unlock()
    if wake { signalWake() }
    return true
  }

  /// Returns the perform's number. Nil if the loop takes no work any more.
  func enqueue(_ details: PerformDetails, priority: Priority) -> UInt64? {
    if refuseForked("a perform") { return nil }
    lock.lock()
    if hasEnded {
      lock.unlock()
      return nil
    }
    let sequence = nextSequence()
    let isPlain = details.order == 0 && details.states.count < 2
    // Not a list of one, which would be made for each.
    var wake = details.states.isEmpty && append(.detailed(details), sequence, to: common, priority, isPlain: isPlain)
    for state in details.states {
      wake = append(.detailed(details), sequence, to: state, priority, isPlain: isPlain) || wake
    }
    if let target = details.target { remember(.queued(sequence), of: ObjectIdentifier(target), details.name) }
    lock.unlock()
    if wake { signalWake() }
    return sequence
  }

  /// Under the lock. True if the caller must call `signalWake` after leaving it.
  private func append(
    _ work: consuming PerformEntry.Work, _ sequence: UInt64, to state: ModeState, _ priority: Priority, isPlain: Bool
  ) -> Bool {
    if priority != .default { openLane(priority) }
    state.append(work, sequence, at: priority, isPlain: isPlain)
    return scope.includes(state) && claimWake(for: priority == .default ? .performs : .lanes)
  }

  /// Under the lock: an item of another priority became ready. It stands in line in all of its modes, and has its turn in
  /// the first of them that comes. True if the caller must call `signalWake` after leaving the lock.
  @discardableResult
  func enqueueTurn(of item: Item, waking: Bool = true) -> Bool {
    let sequence = nextSequence()
    let states = item.slots.states
    openLane(item.priority)
    var isInScope = false
    for state in states {
      state.append(.turn(item, states), sequence, at: item.priority, isPlain: states.count < 2)
      isInScope = isInScope || scope.includes(state)
    }
    turns[ObjectIdentifier(item)] = QueuedTurn(sequence: sequence, states: states)
    if isInScope { setPending(.lanes) }
    return isInScope && waking && claimWake()
  }

  /// Under the lock: the item's turn has come, or its modes are others now, so that it must be found ready once more.
  func endTurn(of item: Item) {
    if turns.isEmpty { return }
    guard let turn = turns.removeValue(forKey: ObjectIdentifier(item)) else { return }
    for state in turn.states { _ = state.withWaiting(item.priority) { $0.cancel(turn.sequence) } }
    item.turnEnded(on: self)
    lookAgain()
  }

  func cancelPerform(_ sequence: UInt64) {
    if isForked { return }
    lock.lock()
    var cancelled: PerformDetails?
    for state in [common] + modes.values { cancelled = state.cancelPerform(sequence) ?? cancelled }
    if cancelled == nil, takenNumbers.contains(sequence) {
      cancelledInBatch.insert(sequence)
      hasCancelled.store(true, ordering: .relaxed)  // Relaxed: see its declaration.
    }
    lookAgain()
    lock.unlock()
    guard let cancelled else { return }
    forgetTarget(of: cancelled, sequence)
    chore { cancelled.abandon(.cancelled) }
  }

  /// The entry's turn will never come.
  func abandon(_ entry: consuming PerformEntry, because reason: Failure) {
    switch entry.work {
    case .detailed(let details): details.abandon(reason)
    // A job is never lost: whoever awaits it would wait for ever.
    case .job(let job): runJob(job, isolating: true)
    case .taskJob(let job): runJob(job, isolating: false)
    default: break
    }
  }

  /// The thread has ended inside of performs: whoever waits for them is told.
  func abandonRunning() {
    for details in running.reversed() { details.abandonBegun(.ended) }
    running = []
  }

  // MARK: Targets

  /// Under the lock. The perform holds its target; here is only whose it is.
  func remember(_ key: TargetedPerform, of target: ObjectIdentifier, _ name: String?) {
    targets[target, default: [:]].updateValue(name, forKey: key)
  }

  /// Without the lock.
  func forget(_ key: TargetedPerform, of target: ObjectIdentifier) {
    // Freed without the lock: it may be the last reference to a timer.
    let waste = lock.withLock { () -> TargetedPerform? in
      guard let place = targets[target]?.index(forKey: key) else { return nil }
      let (waste, _) = targets[target]!.remove(at: place)
      if targets[target]!.isEmpty { targets[target] = nil }
      return waste
    }
    withExtendedLifetime(waste) {}
  }

  /// Under the lock.
  func takeTargets() -> [ObjectIdentifier: [TargetedPerform: String?]] {
    defer { targets = [:] }
    return targets
  }

  private func forgetTarget(of details: PerformDetails, _ sequence: UInt64) {
    if let target = details.target { forget(.queued(sequence), of: ObjectIdentifier(target)) }
  }

  // MARK: Running, on the loop's thread

  /// Runs what is queued at this priority for the modes in scope.
  func runPerforms(_ priority: Priority) {
    guard isInBatch || isPending(priority == .default ? .performs : .lanes), !isForked else { return }
    lock.lock()
    let scope = takeBatch(priority)
    lock.unlock()
    if let scope { runBatch(priority, in: scope) }
  }

  /// Runs what was taken in these modes, also what a pass around this one has taken there.
  func runBatch(_ priority: Priority, in scope: Scope) {
    let isNested = isInBatch
    isInBatch = true
    while !isForked, let state = nextState(priority, in: scope) {
      let entry = takeFirst(priority, of: state)
      let sequence = entry.sequence
      // Relaxed: a cancel from this thread is seen; one from another thread is in time or is not.
      if hasCancelled.load(ordering: .relaxed), isCancelled(sequence) {
        if let details = entry.details { forgetTarget(of: details, sequence) }
        abandon(entry, because: .cancelled)
      } else {
        if entry.isInSeveralModes { withdraw(sequence, from: entry.states, but: state, priority) }
        run(entry)
      }
    }
    isInBatch = isNested
    // What came while the batch ran waits for a later pass, in its order.
    if priority == .default && isPending(.performs) { performsHeldUntil = passNumber + 1 }
  }

  /// The mode in whose line the next one to run stands.
  @inline(__always)
  private func nextState(_ priority: Priority, in scope: Scope) -> ModeState? {
    guard priority == .default else { return nextStateOfLane(priority, in: scope) }
    let state = scope.state
    if let common = scope.common, common.taken.count > 0 {
      if state.taken.count == 0 || common.taken.precedes(state.taken) { return common }
    }
    return state.taken.count > 0 ? state : nil
  }

  @inline(__always)
  private func takeFirst(_ priority: Priority, of state: ModeState) -> PerformEntry {
    if priority == .default { return state.taken.removeFirst() }
    return lock.withLock { state.withTaken(priority) { $0.removeFirst() } }
  }

  @inline(never)
  private func nextStateOfLane(_ priority: Priority, in scope: Scope) -> ModeState? {
    lock.withLock {
      let states = [scope.common, scope.state].compactMap(\.self).filter { $0.hasTaken(at: priority) }
      guard states.count == 2 else { return states.first }
      return states[0].withTaken(priority) { first in
        states[1].withTaken(priority) { second in first.precedes(second) ? states[0] : states[1] }
      }
    }
  }

  /// One that stood in the lines of several modes has its turn.
  private func withdraw(_ sequence: UInt64, from states: [ModeState], but state: ModeState, _ priority: Priority) {
    lock.withLock {
      for other in states where other != state {
        if other.withWaiting(priority, { $0.cancel(sequence) != nil }) { continue }
        _ = other.withTaken(priority) { $0.cancel(sequence, isTaken: true) }
      }
      lookAgain()
    }
  }

  @inline(__always)
  private func run(_ entry: consuming PerformEntry) {
    let sequence = entry.sequence
    switch consume entry.work {
    case .closure(let body):
      handledSource = true
      let probed = performBegins(nil)
      body()
      callEnds(probed)
    case .job(let job):
      // An actor's other jobs wait until this one is over, whoever runs the loop meanwhile. Whose a job is the runtime
      // does not say, so that those of all actors do.
      if isInJob { return heldJobs.append(.job(job), sequence, rank: PerformEntry.rank(of: job)) }
      handledSource = true
      isInJob = true
      let probed = callBegins(.job)
      runJob(job, isolating: true)
      callEnds(probed)
      isInJob = false
      if heldJobs.count > 0 { common.taken.prepend(contentsOf: &heldJobs) }
    case .taskJob(let job):
      handledSource = true
      let probed = callBegins(.job)
      runJob(job, isolating: false)
      callEnds(probed)
    case .function(let function, let data):
      handledSource = true
      let probed = functionBegins(unsafeBitCast(function, to: UInt.self))
      function(data)
      callEnds(probed)
    case .detailed(let details):
      forgetTarget(of: details, sequence)
      handledSource = true
      let probed = performBegins(details)
      running.append(details)
      details.run()
      running.removeLast()
      callEnds(probed)
    case .turn(let item, _): item.takeTurn(on: self)
    case .cancelled: break
    }
  }

  private func isCancelled(_ sequence: UInt64) -> Bool { lock.withLock { cancelledInBatch.contains(sequence) } }

  /// Another pass begins: the timers that one around it has found, and not come to, may have their turn in this one.
  @inline(__always)
  func putBackRest() {
    if dueTimers.hasRest { putBackTimers() }
  }

  private func putBackTimers() {
    lock.lock()
    dueTimers.putBack(in: self)
    lookAgain()
    lock.unlock()
  }

  /// Under the lock: takes all that is queued at this priority for the modes in scope. Returns these modes if there is
  /// anything to run in them.
  func takeBatch(_ priority: Priority) -> Scope? {
    // Performs that were queued by performs wait for a later pass.
    let isHeld = priority == .default && passNumber < performsHeldUntil
    var isEmpty = true
    if !isInBatch && !isHeld {
      takenNumbers = UInt64.max...UInt64.max
      if hasCancelled.load(ordering: .relaxed) {  // Relaxed: changed under the lock only.
        cancelledInBatch = []
        hasCancelled.store(false, ordering: .relaxed)
      }
    }
    scope.forEach { state in
      guard state.hasPerforms(at: priority) else { return }
      if !isHeld, let numbers = state.take(priority) {
        takenNumbers =
          takenNumbers.lowerBound == .max
          ? numbers
          : min(takenNumbers.lowerBound, numbers.lowerBound)...max(takenNumbers.upperBound, numbers.upperBound)
      }
      if state.hasTaken(at: priority) { isEmpty = false }
    }
    if isHeld { return isEmpty ? nil : scope }
    // There may be work of yet other priorities.
    if priority == .default { clearPending(.performs) } else { lookAgain() }
    isInBurst = hasPostsOfOthers && scope.contains { $0.taken.count > 1 }
    hasPostsOfOthers = false
    return isEmpty ? nil : scope
  }
}

/// The turn of an item whose priority is not the default, for which it stands in line.
struct QueuedTurn {
  let sequence: UInt64
  let states: [ModeState]
}

/// A perform that can be found by its target.
enum TargetedPerform: Hashable {
  case queued(UInt64)
  case delayed(GRunLoop.Timer)

  /// In the order in which they were queued. Under the lock.
  func precedes(_ other: TargetedPerform) -> Bool { number < other.number }

  private var number: UInt64 {
    switch self {
    case .queued(let sequence): sequence
    case .delayed(let timer): timer.sequence
    }
  }

  static func == (left: TargetedPerform, right: TargetedPerform) -> Bool {
    switch (left, right) {
    case (.queued(let left), .queued(let right)): left == right
    case (.delayed(let left), .delayed(let right)): left === right
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .queued(let sequence): hasher.combine(sequence)
    case .delayed(let timer): hasher.combine(ObjectIdentifier(timer))
    }
  }
}
