import Synchronization

// How performs are queued, taken and run. A pass takes the whole queue as a batch, and runs it without the lock; a
// nested run that comes meanwhile puts the rest of the batch back first, so that it may run there.

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
    common.performs.append(work, nextSequence(), rank: rank)
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
    if priority == .default {
      state.performs.append(work, sequence)
    } else {
      openLane(priority)
      state.lane(priority).queue.append(work, sequence)
    }
    if !isPlain { state.withQueue(of: priority) { $0.isPlain = false } }
    return scope.includes(state) && claimWake(for: priority == .default ? .performs : .lanes)
  }

  /// Under the lock, on the loop's thread: an item of another priority became ready.
  func enqueueTurn(of item: Item, in state: ModeState) {
    _ = append(.turn(item, state), nextSequence(), to: state, item.priority, isPlain: true)
  }

  func cancelPerform(_ sequence: UInt64) {
    if isForked { return }
    lock.lock()
    var cancelled: PerformDetails?
    for state in [common] + modes.values { cancelled = state.cancelPerform(sequence) ?? cancelled }
    if cancelled == nil, batchNumbers.contains(sequence) {
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

  // MARK: Targets

  /// Under the lock. The perform holds its target; here is only whose it is.
  func remember(_ key: TargetedPerform.Key, of target: ObjectIdentifier, _ name: String?) {
    targets[target, default: []].append(TargetedPerform(name: name, key: key))
  }

  /// Without the lock. A nil target is looked for.
  func forget(_ key: TargetedPerform.Key, of target: ObjectIdentifier?) {
    // Freed without the lock: the last reference to a timer may be among them.
    var waste: [TargetedPerform] = []
    lock.withLock {
      for target in target.map({ [$0] }) ?? Array(targets.keys) {
        guard let index = targets[target]?.firstIndex(where: { $0.key == key }) else { continue }
        waste.append(targets[target]!.remove(at: index))
        if targets[target]!.isEmpty { targets[target] = nil }
      }
    }
  }

  /// Under the lock.
  func takeTargets() -> [ObjectIdentifier: [TargetedPerform]] {
    defer { targets = [:] }
    return targets
  }

  private func forgetTarget(of details: PerformDetails, _ sequence: UInt64) {
    if let target = details.target { forget(.queued(sequence), of: ObjectIdentifier(target)) }
  }

  // MARK: Running, on the loop's thread

  /// Runs what is queued at this priority for the modes in scope.
  func runPerforms(_ priority: Priority) {
    guard isPending(priority == .default ? .performs : .lanes), !isForked else { return }
    putBackRest()
    lock.lock()
    let isTaken = takeBatch(priority)
    lock.unlock()
    if isTaken { runBatch(priority) }
  }

  func runBatch(_ priority: Priority) {
    while batch.count > 0 && !isForked {
      let entry = batch.removeFirst()
      // Relaxed: a cancel from this thread is seen; one from another thread is in time or is not.
      if hasCancelled.load(ordering: .relaxed), isCancelled(entry.sequence) {
        if let details = entry.details { forgetTarget(of: details, entry.sequence) }
        abandon(entry, because: .cancelled)
      } else {
        run(entry)
      }
    }
    // What came while the batch ran waits for a later pass, in its order.
    if priority == .default && isPending(.performs) { performsHeldUntil = passNumber + 1 }
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
      handledSource = true
      let probed = callBegins(.job)
      runJob(job, isolating: true)
      callEnds(probed)
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
      details.run()
      callEnds(probed)
    case .turn(let item, _): item.takeTurn(on: self)
    case .cancelled: break
    }
  }

  private func isCancelled(_ sequence: UInt64) -> Bool { lock.withLock { cancelledInBatch.contains(sequence) } }

  /// Another pass begins: what an outer one has taken and not come to is this one's, if its modes allow.
  @inline(__always)
  func putBackRest() {
    if batch.count > 0 || dueTimers.hasRest { putBack() }
  }

  private func putBack() {
    let waste = PerformQueue.Box()
    lock.lock()
    dueTimers.putBack(in: self)
    var queues: [ModeState: PerformQueue.Box] = [:]
    func queue(of state: ModeState) -> PerformQueue.Box {
      let box = queues[state] ?? PerformQueue.Box()
      queues[state] = box
      return box
    }
    batch.rearrange { entries in entries.indices.sorted { entries[$0].sequence < entries[$1].sequence } }
    while batch.count > 0 {
      let entry = batch.removeFirst()
      let sequence = entry.sequence
      let states = entry.states
      // The place of one that ran in another of its modes.
      if entry.isCancelled { continue }
      if cancelledInBatch.contains(sequence) {
        waste.queue.append(entry.work, sequence)
      } else if states.count > 1, let details = entry.details {
        for state in states { queue(of: state).queue.append(.detailed(details), sequence) }
      } else {
        queue(of: states.first ?? common).queue.append(entry.work, sequence)
      }
    }
    for (state, box) in queues { state.withQueue(of: batchPriority) { $0.putBack(&box.queue) } }
    lookAgain()
    // Not at once: GLib's prepare may have asked, where no user code can run.
    if waste.queue.count > 0 { appendChore { [self] in abandonCancelled(waste) } }
    lock.unlock()
  }

  private func abandonCancelled(_ waste: PerformQueue.Box) {
    while waste.queue.count > 0 {
      let entry = waste.queue.removeFirst()
      if let details = entry.details { forgetTarget(of: details, entry.sequence) }
      abandon(entry, because: .cancelled)
    }
  }

  /// Under the lock: takes all that is queued at this priority for the modes in scope. False if there is nothing. The
  /// last batch must be done.
  func takeBatch(_ priority: Priority) -> Bool {
    // Performs that were queued by performs wait for a later pass.
    if priority == .default && passNumber < performsHeldUntil { return false }
    if hasCancelled.load(ordering: .relaxed) {  // Relaxed: changed under the lock only.
      cancelledInBatch = []
      hasCancelled.store(false, ordering: .relaxed)
    }
    scope.forEach { state in
      if state.queueIsEmpty(priority) { return }
      state.withQueue(of: priority) { queue in
        if batch.count == 0 { swap(&queue, &batch) } else { batch.append(contentsOf: &queue) }
      }
    }
    // There may be work of yet other priorities.
    if priority == .default { clearPending(.performs) } else { lookAgain() }
    isInBurst = hasPostsOfOthers && batch.count > 1
    hasPostsOfOthers = false
    if batch.count == 0 { return false }
    batchPriority = priority
    if batch.isPlain { batchNumbers = batch.numbers } else { settle() }
    return true
  }

  /// The order of a batch that comes from two queues, names several modes, or has orders or ranks of its own.
  private func settle() {
    batch.rearrange { entries in
      var order = entries.indices.sorted {
        let (left, right) = (entries[$0].details?.order ?? 0, entries[$1].details?.order ?? 0)
        if left != right { return left < right }
        let (leftRank, rightRank) = (entries[$0].rank, entries[$1].rank)
        return leftRank != rightRank ? leftRank > rightRank : entries[$0].sequence < entries[$1].sequence
      }
      let numbers = entries.indices.map { entries[$0].sequence }
      batchNumbers = numbers.min()!...numbers.max()!
      // One of several modes is in each of their queues, and is run once.
      for index in order where entries[index].states.count > 1 {
        for state in entries[index].states { _ = state.cancelPerform(entries[index].sequence) }
      }
      var previous: UInt64?
      order.removeAll { index in
        defer { previous = entries[index].sequence }
        return previous == entries[index].sequence
      }
      return order
    }
  }
}

/// A perform that can be found by its target.
struct TargetedPerform {
  enum Key: Equatable {
    case queued(UInt64)
    case delayed(GRunLoop.Timer)

    static func == (left: Key, right: Key) -> Bool {
      switch (left, right) {
      case (.queued(let left), .queued(let right)): left == right
      case (.delayed(let left), .delayed(let right)): left === right
      default: false
      }
    }
  }

  let name: String?
  let key: Key
}
