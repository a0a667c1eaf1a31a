import CRunLoopShims
import Synchronization

// How performs are queued, taken and run. A pass takes the whole queue as a batch, and runs it without the lock; a
// nested run that comes meanwhile puts the rest of the batch back first, so that it may run there.

extension GRunLoop {
  // MARK: Queueing, on any thread

  /// Nil if the loop takes no work any more; the work is then freed here.
  @discardableResult
  func enqueue(_ work: consuming PerformEntry.Work, details: PerformDetails?, priority: Priority) -> UInt64? {
    if refuseForked("a perform") { return nil }
    lock.lock()
    if hasEnded {
      lock.unlock()
      return nil
    }
    let sequence = nextSequence()
    var wake = wakeNeeded
    if let details {
      let entry = PerformEntry(work: work, sequence: sequence, details: details)
      wake = wake && details.states.contains(where: scope.includes)
      for state in details.states { append(entry, to: state, priority) }
      if let target = details.target {
        remember(.queued(sequence), of: ObjectIdentifier(target), details.name)
      }
    } else {
      append(PerformEntry(work: work, sequence: sequence, details: nil), to: common, priority)
    }
    wake = wake && claimWake()
    lock.unlock()
    if wake { signalWake() }
    return sequence
  }

  @inline(__always)
  private func append(_ entry: consuming PerformEntry, to state: ModeState, _ priority: Priority) {
    if priority == .default { return state.performs.append(entry) }
    openLane(priority)
    state.lane(priority).queue.append(entry)
  }

  /// Under the lock: an item of another priority became ready.
  func enqueueTurn(of item: Item, in state: ModeState) {
    append(
      PerformEntry(work: .turn(item, state), sequence: nextSequence(), details: nil), to: state, item.priority)
  }

  func cancelPerform(_ sequence: UInt64) {
    if isForked { return }
    let waste: PerformEntry? = lock.withLock {
      var found: PerformEntry?
      for state in [common] + modes.values { found = state.cancelPerform(sequence) ?? found }
      if found == nil, let batch, batch.sequences.contains(sequence) {
        cancelledInBatch.insert(sequence)
        hasCancelled.store(true, ordering: .relaxed)  // Relaxed: see its declaration.
      }
      return found
    }
    guard let waste else { return }
    forgetTarget(of: waste)
    chore { [self] in abandon(waste, because: .cancelled) }
  }

  /// The entry's turn will never come.
  func abandon(_ entry: PerformEntry, because reason: Failure) {
    entry.details?.abandon?(reason)
    // A job is never lost: whoever awaits it would wait for ever.
    if case .job(let job) = entry.work { runJob(job) }
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

  private func forgetTarget(of entry: PerformEntry) {
    if let target = entry.details?.target { forget(.queued(entry.sequence), of: ObjectIdentifier(target)) }
  }

  // MARK: Running, on the loop's thread

  /// Runs what is queued at this priority for the modes in scope.
  func runPerforms(_ priority: Priority) {
    putBackRest()
    lock.lock()
    let batch = takeBatch(priority)
    lock.unlock()
    guard let batch else { return }
    run(batch)
    lock.lock()
    finish(batch)
    lock.unlock()
  }

  func run(_ batch: PerformBatch) {
    while !batch.buffer.isEmpty {
      let entry = batch.buffer.removeFirst()
      // Relaxed: a cancel from this thread is seen; one from another thread is in time or is not.
      if hasCancelled.load(ordering: .relaxed), isCancelled(entry) { continue }
      run(entry)
    }
  }

  @inline(__always)
  private func run(_ entry: consuming PerformEntry) {
    if let details = entry.details, details.target != nil { forgetTarget(of: entry) }
    switch entry.work {
    case .closure(let body):
      handledSource = true
      body()
    case .job(let job):
      handledSource = true
      runJob(job)
    case .function(let function, let data):
      handledSource = true
      function(data)
    case .turn(let item, _): item.takeTurn(on: self)
    case .nothing: break
    }
  }

  /// A nested run has come: what the outer batch has not run yet is this one's to run, if its modes allow.
  func putBackRest() {
    guard let batch, !batch.buffer.isEmpty else { return }
    lock.withLock {
      var rest: [PerformEntry] = []
      while !batch.buffer.isEmpty { rest.append(batch.buffer.removeFirst()) }
      rest.sort { $0.sequence < $1.sequence }
      var byState: [ModeState: [PerformEntry]] = [:]
      for entry in rest where cancelledInBatch.remove(entry.sequence) == nil {
        let states: [ModeState]
        if case .turn(_, let state) = entry.work {
          states = [state]
        } else {
          states = entry.details?.states ?? [common]
        }
        for state in states { byState[state, default: []].append(entry) }
      }
      for (state, entries) in byState {
        if batch.priority == .default {
          state.performs.prepend(entries)
        } else {
          state.lane(batch.priority).queue.prepend(entries)
        }
      }
    }
  }

  /// Under the lock: all that is queued at this priority for the modes in scope; nil if there is nothing.
  func takeBatch(_ priority: Priority) -> PerformBatch? {
    // Performs that were queued by performs wait for a later pass.
    guard priority != .default || passNumber >= performsHeldUntil,
      scope.contains(where: { !$0.queueIsEmpty(priority) })
    else { return nil }
    let taken = spareBatch ?? PerformBatch()
    spareBatch = nil
    scope.state.takeAll(priority, leaving: &taken.buffer)
    if let common = scope.common, !common.queueIsEmpty(priority) {
      if taken.buffer.isEmpty {
        taken.buffer.reset()
        common.takeAll(priority, leaving: &taken.buffer)
      } else {
        var others = PerformBuffer()
        common.takeAll(priority, leaving: &others)
        while !others.isEmpty { taken.buffer.append(others.removeFirst()) }
      }
    }
    settle(taken)
    taken.priority = priority
    taken.outer = batch
    batch = taken
    return taken
  }

  /// The order of a batch that comes from two queues, names several modes, or has orders of its own.
  private func settle(_ batch: PerformBatch) {
    let entries = batch.buffer.entries
    var previous: UInt64 = 0
    var isPlain = true
    for entry in entries {
      if entry.details != nil || entry.sequence <= previous { isPlain = false }
      previous = entry.sequence
    }
    batch.sequences = entries[0].sequence...max(previous, entries[0].sequence)
    if isPlain { return }
    var sorted: [PerformEntry] = []
    while !batch.buffer.isEmpty { sorted.append(batch.buffer.removeFirst()) }
    sorted.sort { $0.sequence < $1.sequence }
    batch.sequences = sorted[0].sequence...sorted[sorted.count - 1].sequence
    // One of several modes is in each of their queues, and is run once.
    for entry in sorted where (entry.details?.states.count ?? 1) > 1 {
      for state in entry.details!.states { _ = state.cancelPerform(entry.sequence) }
    }
    sorted.sort {
      let (left, right) = ($0.details?.order ?? 0, $1.details?.order ?? 0)
      return left != right ? left < right : $0.sequence < $1.sequence
    }
    batch.buffer.reset()
    var last: UInt64?
    for entry in sorted where entry.sequence != last {
      batch.buffer.append(entry)
      last = entry.sequence
    }
  }

  private func isCancelled(_ entry: PerformEntry) -> Bool {
    guard lock.withLock({ cancelledInBatch.remove(entry.sequence) != nil }) else { return false }
    forgetTarget(of: entry)
    abandon(entry, because: .cancelled)
    return true
  }

  /// Under the lock.
  func finish(_ finished: PerformBatch) {
    batch = finished.outer
    finished.outer = nil
    if batch == nil && hasCancelled.load(ordering: .relaxed) {  // Relaxed: changed under the lock only.
      cancelledInBatch = []
      hasCancelled.store(false, ordering: .relaxed)
    }
    // What came while the batch ran waits for a later pass, in its order.
    if finished.priority == .default, scope.contains(where: { !$0.performs.isEmpty }) {
      performsHeldUntil = passNumber + 1
    }
    if finished.buffer.isLarge { return }
    finished.buffer.reset()
    spareBatch = finished
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
