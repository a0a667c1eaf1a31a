extension GRunLoop {
  /// Runs a closure on the loop's thread, and awaits its result. From any task; no thread is blocked.
  ///
  /// ```swift
  /// func width() async throws -> Int {
  ///   try await loop.performAndWait { window.width }
  /// }
  /// ```
  ///
  /// In asynchronous code this one is meant whenever ``performAndWait(timeout:fileID:line:_:)-(_,_,_,()->Value)`` is
  /// called without a time limit. A caller that is on the loop's thread, such as an actor that is pinned to it, runs the
  /// closure at once; otherwise it is queued like every other perform. For a time limit see
  /// ``withTimeout(_:tolerance:clock:body:)``.
  ///
  /// Cancelling the task cancels the perform: one that has not begun does not run, and the caller goes on at once.
  ///
  /// - Parameters:
  ///   - modes: It runs in the first of these modes that the loop is in. ``Mode/common`` stands for its set.
  ///   - fileID: Where the call stands, as traces and reports of stalls name it.
  ///   - line: The same.
  ///   - body: Runs once at most. It is freed on the loop's thread.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; or `CancellationError`, ``Failure/ended``, ``Failure/forked`` or, without a mode,
  ///   ``Failure/refused(_:)``: then it did not run and will not.
  nonisolated(nonsending) public func performAndWait<Value>(
    inModes modes: [Mode] = [.common], fileID: StaticString = #fileID, line: UInt = #line,
    _ body: sending @escaping () throws -> sending Value
  ) async throws -> sending Value {
    if let failure { throw failure }
    if isCurrent {
      try Task.checkCancellation()
      return try body()
    }
    let states = try self.states(for: modes)
    let suspension = Suspension<Value>()
    // Handed over, not held here: the closure is the loop's to free.
    var turn: AwaitedPerform<Value>? = AwaitedPerform(
      body, for: suspension, in: states, origin: .ifInstrumented(fileID, line))
    return try await suspension.wait {
      guard let sequence = enqueue(turn.take()!, priority: .default) else { return .refused(failure ?? .ended) }
      return .begun { self.cancelPerform(sequence) }
    }
  }

  /// Runs a closure that may be the main actor's, on ``main``, and awaits its result; otherwise as the one above.
  ///
  /// This one is for `{ @MainActor in … }` and for functions; whose a closure is it learns when it is called, so that one
  /// that is nobody's runs on any loop. One of another global actor's runs on the loop that the actor is pinned to.
  nonisolated(nonsending) public func performAndWait<Value: Sendable>(
    inModes modes: [Mode] = [.common], fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @isolated(any) @Sendable () throws -> Value
  ) async throws -> Value {
    let body = try plain(body, "performAndWait")
    return try await performAndWait(inModes: modes, fileID: fileID, line: line) { try body() }
  }
}

/// The closure on its way to the loop's thread. Its end without a turn is the answer, too.
private final class AwaitedPerform<Value>: PerformDetails {
  private let suspension: Suspension<Value>
  // Both are touched by whoever runs or abandons the queued closure: that is one after the other.
  private var body: (() throws -> Value)?
  private var hasBegun = false

  init(_ body: @escaping () throws -> Value, for suspension: Suspension<Value>, in states: [ModeState], origin: Origin?)
  {
    self.body = body
    self.suspension = suspension
    super.init(states: states, origin: origin)
  }

  override func run() {
    guard suspension.claim() else { return body = nil }
    hasBegun = true
    let result = Result { try body!() }
    body = nil
    hasBegun = false
    suspension.give(result)
  }

  /// Also in the middle of its turn, if that has ended the thread.
  override func abandon(_ reason: GRunLoop.Failure) {
    body = nil
    if hasBegun {
      hasBegun = false
      suspension.give(.failure(reason))
    } else {
      suspension.fail(reason)
    }
  }

  deinit { abandon(.ended) }
}
