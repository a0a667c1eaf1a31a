import CRunLoopShims
import Synchronization

extension GRunLoop {
  /// A queued closure, with which it can be called off.
  public struct Perform: Sendable {
    enum Kind {
      case queued(GRunLoop, UInt64)
      case delayed(GRunLoop, Timer, target: ObjectIdentifier?)
      /// Refused: it will not run.
      case refused
    }

    let kind: Kind

    /// Takes the closure out of the queue: it will not run, unless it has begun. From any thread; from the loop's own
    /// thread nothing that is cancelled runs. (`cancelPreviousPerformRequests(withTarget:selector:object:)`)
    public func cancel() {
      switch kind {
      case .queued(let loop, let sequence): loop.cancelPerform(sequence)
      case .delayed(let loop, let timer, let target): loop.cancelDelayed(timer, of: target)
      case .refused: break
      }
    }
  }

  /// Queues a closure for the loop's next pass in a mode of the common set, and wakes the loop. From any thread.
  ///
  /// Closures run once, in the order queued. A pass runs all that were queued before it; one that is queued by a
  /// running closure waits for a later pass. If the loop ends first, the closure is freed without having run. Nothing is
  /// kept of it; to be able to call it off, use the form with modes, which returns a ``Perform``.
  ///
  /// In code of the main actor write `{ @MainActor in … }` to use the actor's state: a closure that may cross threads
  /// does not take its surroundings' isolation.
  /// (`perform(_:on:with:waitUntilDone:)`, `g_main_context_invoke` without its surprises)
  ///
  /// - Parameters:
  ///   - body: What is to run on the loop's thread.
  ///   - fileID: Where the call stands, as traces and reports of stalls name it.
  ///   - line: The same.
  public func perform(
    _ body: consuming sending @escaping () -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    if let origin = Origin.ifInstrumented(fileID, line) {
      _ = enqueue(PerformDetails(origin: origin, body: body), priority: .default)
    } else {
      enqueue(.closure(consume body))
    }
  }

  /// Queues a closure of the main actor's. For ``main`` only.
  public func perform(_ body: @escaping @MainActor () -> Void, fileID: StaticString = #fileID, line: UInt = #line) {
    requireMain("perform")
    let plain = UncheckedClosure { MainActor.assumeIsolated { body() } }
    perform({ plain.body() }, fileID: fileID, line: line)
  }

  /// Queues a call of a C function for the loop's next pass in a mode of the common set. From any thread. Nothing is
  /// allocated for it. If the loop ends first, the function is not called. (`g_idle_add_once` at the default priority)
  ///
  /// - Parameters:
  ///   - function: What to call on the loop's thread.
  ///   - data: What to call it with. It must be good until then, and safe to hand to that thread.
  public func perform(
    _ function: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, _ data: UnsafeMutableRawPointer?
  ) {
    enqueue(.function(function, data))
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
  ///   - fileID: Where the call stands, as traces and reports of stalls name it.
  ///   - line: The same.
  ///   - body: What is to run on the loop's thread.
  /// - Returns: With which it can be cancelled.
  @discardableResult
  public func perform(
    inModes modes: [Mode] = [.common], after delay: Duration? = nil, order: Int = 0, priority: Priority = .default,
    target: AnyObject? = nil, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: sending @escaping () -> Void
  ) -> Perform {
    let named = self.named(modes)
    if named.isEmpty || refuseForked("perform") { return Perform(kind: .refused) }
    if let delay {
      let place = Place(file: fileID, line: line)
      return performLater(named, delay, order, priority, target, name, place, UncheckedClosure(body: body))
    }
    let states = lock.withLock { unique(named).map(state(for:)) }
    let origin = Origin.ifInstrumented(fileID, line)
    let details = PerformDetails(
      states: states, order: order, target: target, name: name, origin: origin, body: body)
    let sequence = enqueue(details, priority: priority)
    return Perform(kind: sequence.map { .queued(self, $0) } ?? .refused)
  }

  /// The modes that a perform can be queued in.
  private func named(_ modes: [Mode]) -> [Mode] {
    let named = modes.filter { !$0.rawValue.isEmpty }
    if named.count < modes.count || named.isEmpty {
      diagnose("a perform names \(modes.isEmpty ? "no mode" : "a mode without a name"); it runs in the others, if any")
    }
    return named
  }

  /// The modes of a perform that somebody waits for.
  func states(for modes: [Mode]) throws -> [ModeState] {
    // The default, for which there is nothing to be looked up.
    if modes == [.common] { return [] }
    let named = self.named(modes)
    if named.isEmpty { throw Failure.refused("the perform names no mode") }
    return lock.withLock { unique(named).map(state(for:)) }
  }

  private func unique(_ modes: [Mode]) -> [Mode] {
    var seen: Set<Mode> = []
    return modes.filter { seen.insert($0).inserted }
  }

  /// A closure on its way to the loop's thread, by `sending`: nobody else has what it captures.
  private struct UncheckedClosure: @unchecked Sendable {
    let body: () -> Void
  }

  /// Queues a closure of the main actor's for chosen modes, perhaps after a delay. For ``main`` only.
  @discardableResult
  public func perform(
    inModes modes: [Mode] = [.common], after delay: Duration? = nil, order: Int = 0, priority: Priority = .default,
    target: AnyObject? = nil, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @MainActor () -> Void
  ) -> Perform {
    requireMain("perform")
    let plain = UncheckedClosure { MainActor.assumeIsolated { body() } }
    return perform(
      inModes: modes, after: delay, order: order, priority: priority, target: target, name: name, fileID: fileID,
      line: line, { plain.body() })
  }

  private func performLater(
    _ modes: [Mode], _ delay: Duration, _ order: Int, _ priority: Priority, _ target: AnyObject?, _ name: String?,
    _ place: Place, _ body: UncheckedClosure
  ) -> Perform {
    let held = UncheckedObject(object: target)
    let timer = Timer(
      fireDate: now(on: .monotonic) + max(.zero, delay), order: order, priority: priority,
      sendableHandler: { [unowned self] timer in
        if let target = held.object { forget(.delayed(timer), of: ObjectIdentifier(target)) }
        body.body()
      })
    if let name, grl_instrumented() { timer.name = name }
    if let target { lock.withLock { remember(.delayed(timer), of: ObjectIdentifier(target), name) } }
    var isAdded = false
    for mode in modes {
      isAdded = add(timer, forMode: mode, fileID: place.file, line: place.line)
      if !isAdded { break }
    }
    let target = target.map { ObjectIdentifier($0) }
    if !isAdded { cancelDelayed(timer, of: target) }
    return Perform(kind: isAdded ? .delayed(self, timer, target: target) : .refused)
  }

  private struct UncheckedObject: @unchecked Sendable {
    // Only held and compared, until the closure it belongs to is freed.
    let object: AnyObject?
  }

  private func cancelDelayed(_ timer: Timer, of target: ObjectIdentifier?) {
    if refuseForked("cancel()") { return }
    if let target { forget(.delayed(timer), of: target) }
    timer.invalidate()
  }

  /// Cancels every perform, delayed or not, that was queued with this target and, if one is given, this name.
  /// (`cancelPreviousPerformRequests(withTarget:)`)
  public func cancelPerforms(target: AnyObject, name: String? = nil) {
    if refuseForked("cancelPerforms(target:name:)") { return }
    let target = ObjectIdentifier(target)
    let performs = lock.withLock {
      targets[target]?.filter { name == nil || $0.value == name }.map(\.key) ?? []
    }
    for perform in performs.sorted(by: { $0.precedes($1) }) {
      switch perform {
      case .queued(let sequence): cancelPerform(sequence)
      case .delayed(let timer): cancelDelayed(timer, of: target)
      }
    }
  }

  // MARK: Waiting for the result

  /// Runs a closure on the loop's thread, in a mode of the common set, and waits until it has run. On that thread
  /// itself it runs at once. (`perform(_:on:with:waitUntilDone:)` with true)
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the closure's turn; nil is without end. One that has begun is waited for.
  ///   - fileID: Where the call stands, as traces and reports of stalls name it.
  ///   - line: The same.
  ///   - body: What is to run on the loop's thread.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; or ``Failure/ended``, ``Failure/timedOut`` or ``Failure/forked``: then it did
  ///   not run and will not.
  @inlinable
  public func performAndWait<Value>(
    timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable () throws -> sending Value
  ) throws -> sending Value {
    // In the caller's module its type is known: looking that up was half of the call's instructions.
    nonisolated(unsafe) var outcome: Result<Value, any Error>?
    try wait(nil, timeout, fileID, line) { outcome = Result { try body() } }
    // The loop's thread is done with it; nobody but the caller has it now.
    nonisolated(unsafe) let value = try outcome!.get()
    return value
  }

  /// Runs a closure on the loop's thread, in chosen modes, and waits until it has run. On that thread itself it runs at
  /// once, in whatever mode. (`perform(_:on:with:waitUntilDone:modes:)` with true)
  ///
  /// - Parameters:
  ///   - modes: It runs in the first of these modes that the loop is in. ``Mode/common`` stands for its set.
  ///   - timeout: How long to wait for the closure's turn; nil is without end. One that has begun is waited for.
  ///   - fileID: Where the call stands, as traces and reports of stalls name it.
  ///   - line: The same.
  ///   - body: What is to run on the loop's thread.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; or ``Failure/ended``, ``Failure/timedOut``, ``Failure/forked`` or, without a mode,
  ///   ``Failure/refused(_:)``: then it did not run and will not.
  public func performAndWait<Value>(
    inModes modes: [Mode], timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable () throws -> sending Value
  ) throws -> sending Value {
    nonisolated(unsafe) var outcome: Result<Value, any Error>?
    try wait(modes, timeout, fileID, line) { outcome = Result { try body() } }
    // The loop's thread is done with it; nobody but the caller has it now.
    nonisolated(unsafe) let value = try outcome!.get()
    return value
  }

  @usableFromInline
  func wait(
    _ modes: [Mode]?, _ timeout: Duration?, _ fileID: StaticString, _ line: UInt, for body: @escaping () -> Void
  ) throws {
    if isForked { throw Failure.forked }
    if isCurrent { return body() }
    let states = try modes.map { try self.states(for: $0) } ?? []
    // It does escape where it ends the loop's thread, whose stack is never unwound.
    let waiter = Waiter(states: states, origin: .ifInstrumented(fileID, line), body)
    guard let sequence = enqueue(waiter, priority: .default) else { throw Failure.ended }
    if !waiter.wait(timeout) { cancelPerform(sequence) }
    if let failure = waiter.failure { throw failure }
  }

  // Not for closures of the main actor's alone: Swift 6.3 prefers this form in some places, such as under `try?`, for
  // closures that are nobody's. So it asks each one whose it is.

  /// Runs a closure that may be the main actor's, on ``main``, and waits until it has run; otherwise as the one above.
  ///
  /// This one is for `{ @MainActor in … }` and for functions; whose a closure is it learns when it is called, so that one
  /// that is nobody's runs on any loop. One of another global actor's runs on the loop that the actor is pinned to.
  public func performAndWait<Value: Sendable>(
    timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @isolated(any) @Sendable () throws -> Value
  ) throws -> Value {
    let body = try plain(body, "performAndWait")
    return try performAndWait(timeout: timeout, fileID: fileID, line: line) { @Sendable () throws -> Value in
      try body()
    }
  }

  /// Runs a closure that may be the main actor's, on ``main``, in chosen modes, and waits until it has run; otherwise as
  /// the one above.
  public func performAndWait<Value: Sendable>(
    inModes modes: [Mode], timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @isolated(any) @Sendable () throws -> Value
  ) throws -> Value {
    let body = try plain(body, "performAndWait")
    return try performAndWait(inModes: modes, timeout: timeout, fileID: fileID, line: line) {
      @Sendable () throws -> Value in try body()
    }
  }

  /// The closure without its isolation, for a call on this loop's thread, which is where it belongs.
  func plain<Value>(
    _ body: @escaping @isolated(any) @Sendable () throws -> Value, _ call: String
  ) throws -> @Sendable () throws -> Value {
    if let actor = body.isolation {
      if actor === MainActor.shared {
        requireMain(call)
      } else if Self.executing(actor) !== self {
        throw Failure.refused("the closure is \(actor)'s, which is not pinned to this run loop")
      }
    }
    // What differs is only who may call it, as in `MainActor.assumeIsolated`.
    return unsafeBitCast(body, to: (@Sendable () throws -> Value).self)
  }

  func requireMain(_ call: String) {
    if self !== GRunLoop.main {
      fatalError("\(call) of a @MainActor closure on another loop than GRunLoop.main, the only one on the main actor")
    }
  }
}
