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
  /// - Throws: What the closure throws; or `CancellationError`, ``Failure/ended`` or ``Failure/forked``: then it did
  ///   not run and will not.
  nonisolated(nonsending) public func performAndWait<Value>(
    inModes modes: [Mode] = [.common], fileID: StaticString = #fileID, line: UInt = #line,
    _ body: sending @escaping () throws -> sending Value
  ) async throws -> sending Value {
    if let failure { throw failure }
    if isCurrent {
      try Task.checkCancellation()
      return try body()
    }
    let perform = AwaitedPerform<Value>()
    // Handed over, not held here: that it is freed is how its end is known.
    var turn: AwaitedBody<Value>? = AwaitedBody(body, for: perform, on: self)
    return try await perform.wait(
      begin: {
        perform.queued = turn.take().map { turn in
          self.perform(inModes: modes, fileID: fileID, line: line) { turn.run() }
        }
      },
      callOff: { perform.queued?.cancel() })
  }

  /// Runs a closure of the main actor's on ``main``, and awaits its result; otherwise as the one above.
  nonisolated(nonsending) public func performAndWait<Value: Sendable>(
    inModes modes: [Mode] = [.common], fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @MainActor () throws -> Value
  ) async throws -> Value {
    requireMain("performAndWait")
    return try await performAndWait(inModes: modes, fileID: fileID, line: line) {
      try MainActor.assumeIsolated { try body() }
    }
  }
}

/// A task that awaits a perform.
private final class AwaitedPerform<Value>: Suspension<Value>, @unchecked Sendable {
  // Invariant for @unchecked: written before the task waits, and read only once it does.
  var queued: GRunLoop.Perform?
}

/// The closure on its way to the loop's thread. Its end without a turn is the answer, too.
private final class AwaitedBody<Value>: @unchecked Sendable {
  // Invariant for @unchecked: `body` is touched by whoever runs or frees the queued closure, which happens once.
  private let body: () throws -> Value
  private let perform: AwaitedPerform<Value>
  private let loop: GRunLoop

  init(_ body: @escaping () throws -> Value, for perform: AwaitedPerform<Value>, on loop: GRunLoop) {
    self.body = body
    self.perform = perform
    self.loop = loop
  }

  func run() {
    if perform.claim() { perform.give(Result { try body() }) }
  }

  // Without a mode to run in, it is neither the loop's end nor the task's.
  deinit { perform.fail(loop.failure ?? .cancelled) }
}
