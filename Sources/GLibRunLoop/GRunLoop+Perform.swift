import CRunLoopShims
import Synchronization

extension GRunLoop {
  /// A queued closure, with which it can be called off.
  public struct Perform: Sendable {
    enum Kind {
      case queued(GRunLoop, UInt64)
      case delayed(Timer)
      /// Refused: it will not run.
      case refused
    }

    let kind: Kind

    /// Takes the closure out of the queue: it will not run, unless it has begun. From any thread; from the loop's own
    /// thread nothing that is cancelled runs. (`cancelPreviousPerformRequests(withTarget:selector:object:)`)
    public func cancel() {
      switch kind {
      case .queued(let loop, let sequence): loop.cancelPerform(sequence)
      case .delayed(let timer): timer.invalidate()
      case .refused: break
      }
    }
  }

  /// Queues a closure for the loop's next pass in a mode of the common set, and wakes the loop. From any thread.
  ///
  /// Closures run once, in the order queued. A pass runs all that were queued before it; one that is queued by a
  /// running closure waits for a later pass. If the loop ends first, the closure is freed without having run.
  /// (`perform(_:on:with:waitUntilDone:)`, `g_main_context_invoke` without its surprises)
  public func perform(_ body: sending @escaping () -> Void) {
    enqueue(.closure(body), details: nil, priority: .default)
  }

  /// Queues a closure of the main actor's. For ``main`` only.
  public func perform(_ body: @escaping @MainActor () -> Void) {
    requireMain("perform")
    enqueue(.closure { MainActor.assumeIsolated { body() } }, details: nil, priority: .default)
  }

  /// Queues a closure for chosen modes, perhaps after a delay. From any thread.
  ///
  /// - Parameters:
  ///   - modes: It runs once, in the first of these modes that the loop is in. ``Mode/common`` stands for its set.
  ///   - delay: At least so long; nil queues it at once. A delayed closure is a timer: it does not count as a source,
  ///     and it is not ordered among the queued ones. Negative is zero.
  ///   - order: Among the closures that a pass runs, the lower order goes first.
  ///   - priority: When GLib lets it have its turn.
  ///   - target: What it is about, for ``cancelPerforms(target:name:)``; kept alive until it has run.
  ///   - name: What it does, likewise.
  /// - Returns: With which it can be cancelled.
  @discardableResult
  public func perform(
    inModes modes: [Mode] = [.common], after delay: Duration? = nil, order: Int = 0, priority: Priority = .default,
    target: AnyObject? = nil, name: String? = nil, _ body: sending @escaping () -> Void
  ) -> Perform {
    let named = modes.filter { !$0.rawValue.isEmpty }
    if named.count < modes.count || named.isEmpty {
      diagnose("a perform names \(modes.isEmpty ? "no mode" : "a mode without a name"); it runs in the others, if any")
    }
    if named.isEmpty || refuseForked("perform") { return Perform(kind: .refused) }
    if let delay {
      return performLater(named, delay, order, priority, target, name, UncheckedClosure(body: body))
    }
    let states = lock.withLock { unique(named).map(state(for:)) }
    let details = PerformDetails(states: states, order: order, target: target, name: name)
    let sequence = enqueue(.closure(body), details: details, priority: priority)
    return Perform(kind: sequence.map { .queued(self, $0) } ?? .refused)
  }

  private func unique(_ modes: [Mode]) -> [Mode] {
    var seen: Set<Mode> = []
    return modes.filter { seen.insert($0).inserted }
  }

  /// A closure on its way to the loop's thread, by `sending`: nobody else has what it captures.
  private struct UncheckedClosure: @unchecked Sendable {
    let body: () -> Void
  }

  private func performLater(
    _ modes: [Mode], _ delay: Duration, _ order: Int, _ priority: Priority, _ target: AnyObject?, _ name: String?,
    _ body: UncheckedClosure
  ) -> Perform {
    let date = Instant.now.advanced(by: max(.zero, delay))
    let timer = Timer(
      fireDate: date, order: order, priority: priority,
      sendableHandler: { [unowned self] timer in
        lock.withLock { forgetTarget(of: ObjectIdentifier(timer)) }
        body.body()
      })
    if let target {
      lock.withLock {
        targets[ObjectIdentifier(target), default: []].append(
          TargetedPerform(target: target, name: name, key: .delayed(timer)))
      }
    }
    for mode in modes { add(timer, forMode: mode) }
    return Perform(kind: .delayed(timer))
  }

  /// Cancels every perform, delayed or not, that was queued with this target and, if one is given, this name.
  /// (`cancelPreviousPerformRequests(withTarget:)`)
  public func cancelPerforms(target: AnyObject, name: String? = nil) {
    let keys: [TargetedPerform.Key] = lock.withLock {
      let all = targets[ObjectIdentifier(target)] ?? []
      let matching = all.filter { name == nil || $0.name == name }
      let others = all.filter { name != nil && $0.name != name }
      targets[ObjectIdentifier(target)] = others.isEmpty ? nil : others
      return matching.map(\.key)
    }
    for key in keys {
      switch key {
      case .queued(let sequence): cancelPerform(sequence)
      case .delayed(let timer): timer.invalidate()
      }
    }
  }

  // MARK: Waiting for the result

  /// Runs a closure on the loop's thread, in a mode of the common set, and waits until it has run. On that thread
  /// itself it runs at once. (`perform(_:on:with:waitUntilDone:)` with true)
  ///
  /// - Parameter timeout: How long to wait for the closure's turn; nil is without end. One that has begun is waited for.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; or ``Failure/ended``, ``Failure/timedOut`` or ``Failure/forked``: then it did
  ///   not run and will not.
  public func performAndWait<Value>(
    timeout: Duration? = nil, _ body: @escaping @Sendable () throws -> sending Value
  ) throws -> sending Value {
    if isCurrent { return try body() }
    let waiter = Waiter<Value>(body)
    let details = PerformDetails(states: [common], abandon: { waiter.abandon($0) })
    if let sequence = enqueue(.closure { waiter.run() }, details: details, priority: .default) {
      if !waiter.wait(timeout) { cancelPerform(sequence) }
    } else {
      waiter.abandon(unusableNow ?? .ended)
    }
    return try waiter.outcome()
  }

  private var unusableNow: Failure? { lock.withLock { unusable } }

  private func requireMain(_ call: String) {
    precondition(
      self === GRunLoop.main, "\(call) of a @MainActor closure: only GRunLoop.main runs on the main actor")
  }

  // MARK: The queue

  /// Nil if the loop takes no work any more; the work is then freed here.
  @discardableResult
  func enqueue(_ work: PerformEntry.Work, details: PerformDetails?, priority: Priority) -> UInt64? {
    lock.lock()
    if let failure = unusable {
      lock.unlock()
      if failure == .forked { diagnose("a perform was ignored: \(failure)") }
      return nil
    }
    lastSequence += 1
    let sequence = lastSequence
    let entry = PerformEntry(work: work, sequence: sequence, details: details)
    if priority == .default {
      if let details {
        for state in details.states { state.performs.append(entry) }
      } else {
        common.performs.append(entry)
      }
    } else {
      openLane(priority)
      for state in details?.states ?? [common] { state.lanes[priority, default: PerformQueue()].append(entry) }
    }
    if let details, let target = details.target {
      targets[ObjectIdentifier(target), default: []].append(
        TargetedPerform(target: target, name: details.name, key: .queued(sequence)))
    }
    let wake = wakeNeeded && (details?.states.contains(where: scope.includes) ?? true) && claimWake()
    lock.unlock()
    if wake { signalWake() }
    return sequence
  }

  /// Under the lock: an item of another priority became ready.
  func enqueueTurn(of item: Item, in state: ModeState) {
    openLane(item.priority)
    let entry = PerformEntry(work: .turn(item, state), sequence: nextSequence(), details: nil)
    state.lanes[item.priority, default: PerformQueue()].append(entry)
  }

  func cancelPerform(_ sequence: UInt64) {
    if isForked { return }
    let waste: PerformEntry? = lock.withLock {
      var found: PerformEntry?
      for state in [common] + modes.values {
        if let entry = state.performs.cancel(sequence) { found = entry }
        for priority in state.lanes.keys {
          if let entry = state.lanes[priority]!.cancel(sequence) { found = entry }
        }
      }
      if let found {
        forget(found)
      } else if let batch, batch.entries.contains(where: { $0.sequence == sequence }) {
        cancelledInBatch.insert(sequence)
        hasCancelled.store(true, ordering: .relaxed)  // Relaxed: see its declaration.
      }
      return found
    }
    if let waste { chore { [self] in abandon(waste, because: .cancelled) } }
  }

  func abandon(_ entry: PerformEntry, because reason: Failure) {
    entry.details?.abandon?(reason)
    if case .job(let job) = entry.work { runJob(job) }
  }

  /// Under the lock.
  private func forget(_ entry: PerformEntry) {
    guard let target = entry.details?.target else { return }
    targets[ObjectIdentifier(target)]?.removeAll { $0.key == .queued(entry.sequence) }
    if targets[ObjectIdentifier(target)]?.isEmpty ?? false { targets[ObjectIdentifier(target)] = nil }
  }

  private func forgetTarget(of timer: ObjectIdentifier) {
    for (target, performs) in targets {
      let others = performs.filter { $0.key.timer != timer }
      if others.count < performs.count { targets[target] = others.isEmpty ? nil : others }
    }
  }

  // MARK: Running them, on the loop's thread

  /// Runs what is queued at this priority for the modes in scope.
  func runPerforms(_ priority: Priority) {
    // A nested run has come: what the outer batch has not run yet is this one's to run, if its modes allow.
    if let batch, batch.next < batch.entries.count { putBack(batch) }
    guard priority != .default || passNumber >= performsHeldUntil else { return }
    guard let batch = takeBatch(priority) else { return }
    while batch.next < batch.entries.count {
      let entry = batch.entries[batch.next]
      batch.next += 1
      // Relaxed: a cancel from this thread is seen; one from another thread is in time or is not.
      if hasCancelled.load(ordering: .relaxed), isCancelledInBatch(entry) { continue }
      run(entry)
    }
    finish(batch)
  }

  private func run(_ entry: PerformEntry) {
    switch entry.work {
    case .closure(let body):
      if entry.details?.target != nil { lock.withLock { forget(entry) } }
      noteHandledSource()
      body()
    case .job(let job):
      noteHandledSource()
      runJob(job)
    case .turn(let item, _): item.takeTurn(on: self)
    case .nothing: break
    }
  }

  private func takeBatch(_ priority: Priority) -> PerformBatch? {
    lock.lock()
    defer { lock.unlock() }
    var entries = takeAll(from: scope.state, priority)
    if let common = scope.common {
      let others = takeAll(from: common, priority)
      if entries.isEmpty {
        entries = others
      } else if !others.isEmpty {
        entries += others
        entries.sort { $0.sequence < $1.sequence }
      }
    }
    guard !entries.isEmpty else { return nil }
    if entries.contains(where: { $0.details != nil }) { entries = settled(entries) }
    let made = PerformBatch(entries: entries, priority: priority, outer: batch)
    batch = made
    return made
  }

  private func takeAll(from state: ModeState, _ priority: Priority) -> [PerformEntry] {
    if priority == .default { return state.performs.takeAll() }
    return state.lanes[priority]?.takeAll() ?? []
  }

  /// An entry of several modes is taken from all of them, once; then the orders count.
  private func settled(_ entries: [PerformEntry]) -> [PerformEntry] {
    var result: [PerformEntry] = []
    var ordered = false
    for entry in entries {
      if let details = entry.details {
        if result.last?.sequence == entry.sequence { continue }
        for state in details.states where details.states.count > 1 {
          _ = state.performs.cancel(entry.sequence)
          for priority in state.lanes.keys { _ = state.lanes[priority]!.cancel(entry.sequence) }
        }
        ordered = ordered || details.order != 0
      }
      result.append(entry)
    }
    guard ordered else { return result }
    return result.sorted {
      let (left, right) = ($0.details?.order ?? 0, $1.details?.order ?? 0)
      return left != right ? left < right : $0.sequence < $1.sequence
    }
  }

  private func putBack(_ batch: PerformBatch) {
    lock.withLock {
      let rest = batch.entries[batch.next...].sorted { $0.sequence < $1.sequence }
      batch.next = batch.entries.count
      var byState: [ObjectIdentifier: (state: ModeState, entries: [PerformEntry])] = [:]
      for entry in rest where cancelledInBatch.remove(entry.sequence) == nil {
        let states: [ModeState]
        if case .turn(_, let state) = entry.work {
          states = [state]
        } else {
          states = entry.details?.states ?? [common]
        }
        for state in states { byState[ObjectIdentifier(state), default: (state, [])].entries.append(entry) }
      }
      for (state, entries) in byState.values {
        if batch.priority == .default {
          state.performs.prepend(entries)
        } else {
          state.lanes[batch.priority, default: PerformQueue()].prepend(entries)
        }
      }
    }
  }

  private func isCancelledInBatch(_ entry: PerformEntry) -> Bool {
    let cancelled = lock.withLock {
      guard cancelledInBatch.remove(entry.sequence) != nil else { return false }
      forget(entry)
      return true
    }
    if cancelled { abandon(entry, because: .cancelled) }
    return cancelled
  }

  private func finish(_ finished: PerformBatch) {
    lock.withLock {
      batch = finished.outer
      if batch == nil {
        cancelledInBatch = []
        hasCancelled.store(false, ordering: .relaxed)
      }
      // What came while the batch ran waits for a later pass, in its order.
      if finished.priority == .default, scope.contains(where: { !$0.performs.isEmpty }) {
        performsHeldUntil = passNumber + 1
      }
    }
  }
}

/// A perform that can be found by its target.
struct TargetedPerform {
  enum Key: Equatable {
    case queued(UInt64)
    case delayed(GRunLoop.Timer)

    var timer: ObjectIdentifier? {
      if case .delayed(let timer) = self { return ObjectIdentifier(timer) }
      return nil
    }

    static func == (left: Key, right: Key) -> Bool {
      switch (left, right) {
      case (.queued(let left), .queued(let right)): left == right
      case (.delayed(let left), .delayed(let right)): left === right
      default: false
      }
    }
  }

  /// Strong: an object that is gone could have lent its address to another.
  let target: AnyObject
  let name: String?
  let key: Key
}
