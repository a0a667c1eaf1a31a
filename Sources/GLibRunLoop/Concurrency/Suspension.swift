import Synchronization

/// A task that waits for one answer: the loop's, or that the task was cancelled, or that the loop has ended.
class Suspension<Value>: @unchecked Sendable {
  // Invariant for @unchecked: `answer` belongs to the one that claimed it until the state says that it is there, and
  // then to the task; `continuation` is the task's until the state says that it waits, and then the answerer's.

  private enum State: UInt8, AtomicRepresentable {
    case begun, waiting, answered
  }

  private let isClaimed = Atomic<Bool>(false)
  private let state = Atomic<State>(.begun)
  private var continuation: UnsafeContinuation<Void, Never>?
  private var answer: Result<Value, any Error>?

  /// True for the one who may give the answer.
  final func claim() -> Bool {
    // Relaxed: it only chooses; what is written is published through the state.
    isClaimed.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
  }

  /// For the one who claimed it. True if the task waited already, so that all it began before that has been begun.
  @discardableResult
  final func give(_ answer: Result<Value, any Error>) -> Bool {
    self.answer = answer
    // Acquiring and releasing: the answer is there for the task, or its continuation here.
    guard state.exchange(.answered, ordering: .acquiringAndReleasing) == .waiting else { return false }
    continuation!.resume()
    return true
  }

  final func fail(_ error: any Error) { if claim() { give(.failure(error)) } }

  /// Begins something and waits for the answer.
  ///
  /// - Parameters:
  ///   - begin: Starts what will answer; left out if the task is cancelled already.
  ///   - callOff: Ends what was begun, because nobody waits any more. May come when it has ended by itself.
  nonisolated(nonsending) final func wait(
    begin: () -> Void, callOff: @Sendable () -> Void
  ) async throws -> sending Value {
    await withTaskCancellationHandler {
      // Relaxed: the handler of a task that is cancelled already has run on this thread.
      if isClaimed.load(ordering: .relaxed) { return }
      begin()
      await withUnsafeContinuation { continuation in
        self.continuation = continuation
        // Acquiring and releasing: as in `give`.
        let (parked, _) = state.compareExchange(
          expected: .begun, desired: .waiting, ordering: .acquiringAndReleasing)
        if parked { return }
        callOff()
        continuation.resume()
      }
    } onCancel: {
      if claim(), give(.failure(CancellationError())) { callOff() }
    }
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
}
