import Synchronization

/// A task that waits for one answer, and is resumed once by whichever comes first: what it waits for, that this was
/// refused, that the task was cancelled, that the loop has ended.
package final class Suspension<Value>: @unchecked Sendable {
  // Invariant for @unchecked: `answer` and `isCancelled` belong to the one that claimed the answer until the state says
  // that it is there, and then to the task; `continuation` is the task's until the state says that it waits, and then
  // the answerer's.

  private enum State: UInt8, AtomicRepresentable {
    case begun, waiting, answered
  }

  /// What became of the attempt to begin something that will answer. There is no third way: what was refused answers
  /// nothing.
  package enum Beginning {
    /// With what ends it again, for a task that was cancelled. It may have ended by itself by then.
    case begun(callOff: () -> Void)
    case refused(any Error)
  }

  private let isClaimed = Atomic<Bool>(false)
  private let state = Atomic<State>(.begun)
  private var continuation: UnsafeContinuation<Void, Never>?
  private var answer: Result<Value, any Error>?
  private var isCancelled = false

  package init() {}

  /// True for the one who may give the answer, and must.
  package func claim() -> Bool {
    // Relaxed: it only chooses; what is written is published through the state.
    isClaimed.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
  }

  /// For the one who claimed it.
  package func give(_ answer: Result<Value, any Error>) {
    self.answer = answer
    // Acquiring and releasing: the answer is there for the task, or its continuation here.
    if state.exchange(.answered, ordering: .acquiringAndReleasing) == .waiting { continuation!.resume() }
  }

  package func fail(_ error: any Error) { if claim() { give(.failure(error)) } }

  /// Begins something and waits for the answer; a `CancellationError` is one.
  ///
  /// - Parameters:
  ///   - isolation: The caller's.
  ///   - begin: Starts what will answer, where the caller is; left out if the task is cancelled already.
  package func wait(
    isolation: isolated (any Actor)? = #isolation, _ begin: () -> Beginning
  ) async throws -> sending Value {
    try await wait(isolation: isolation, begin) {
      guard claim() else { return }
      isCancelled = true
      give(.failure(CancellationError()))
    }
  }

  /// Begins something and waits for the answer.
  ///
  /// - Parameters:
  ///   - isolation: The caller's.
  ///   - begin: Starts what will answer, where the caller is; left out if there is an answer already.
  ///   - cancelled: Called when the task is cancelled, with a lock of the runtime's held, for which whoever resumes the
  ///     task waits: so it calls nothing of the user's, frees nothing of his, and waits for nobody.
  package func wait(
    isolation: isolated (any Actor)? = #isolation, _ begin: () -> Beginning, onCancel cancelled: @Sendable () -> Void
  ) async throws -> sending Value {
    var callOff: (() -> Void)?
    await withTaskCancellationHandler {
      // A closure is where the caller is only if it names the caller's isolation (SE-0420).
      _ = isolation
      // Relaxed: the handler of a task that is cancelled already has run on this thread.
      if isClaimed.load(ordering: .relaxed) { return }
      switch begin() {
      case .begun(let end): callOff = end
      case .refused(let error): fail(error)
      }
      await withUnsafeContinuation { continuation in
        self.continuation = continuation
        // Acquiring and releasing: as in `give`.
        let (parked, _) = state.compareExchange(
          expected: .begun, desired: .waiting, ordering: .acquiringAndReleasing)
        if !parked { continuation.resume() }
      }
    } onCancel: {
      cancelled()
    }
    // Here, and not in the handler: what is called off may free what is the user's.
    if isCancelled { callOff?() }
    // Whoever gave it is done with it; nobody but the caller has it now.
    nonisolated(unsafe) let value = try answer!.get()
    return value
  }
}

/// Held by what is to answer: its end without an answer is the loop's.
final class Tether<Value>: Sendable {
  let suspension: Suspension<Value>

  init(_ suspension: Suspension<Value>) { self.suspension = suspension }

  deinit { suspension.fail(GRunLoop.Failure.ended) }
}

extension GRunLoop {
  /// Why nothing can be begun on the loop any more.
  package var failure: Failure? {
    if isForked { return .forked }
    return lock.withLock { hasEnded } ? .ended : nil
  }

  /// Adds an item that was made for this one use. Returns why the loop would not have it in all the modes; then it is
  /// in none, and invalid.
  ///
  /// - Parameter told: Called with the reason before that, for an item whose end is an answer.
  package func begin(_ item: Item, inModes modes: [Mode], orTell told: (Failure) -> Void = { _ in }) -> Failure? {
    guard let refusal = failure ?? refusal(of: item, inModes: modes) else { return nil }
    told(refusal)
    item.invalidate()
    return refusal
  }

  private func refusal(of item: Item, inModes modes: [Mode]) -> Failure? {
    if modes.isEmpty { return .refused("it names no mode") }
    for mode in modes {
      if let problem = admit(item, to: mode) { return failure ?? .refused(problem) }
    }
    return nil
  }
}
