/// Runs a piece of asynchronous work that must be done within a time.
///
/// ```swift
/// let page = try await withTimeout(.seconds(10), clock: loop.clock()) { try await fetch(url) }
/// ```
///
/// When the time is up the work is cancelled, its end is awaited, and the call throws, whatever the work made of it.
/// Work that pays no heed to its cancellation is waited for all the same: nothing is left running behind.
///
/// - Parameters:
///   - limit: How long the work may take. With zero or less it is cancelled as soon as it has begun.
///   - tolerance: How much longer than that it may take.
///   - clock: What measures the time. ``GRunLoop/clock(_:)`` does so with a timer of a loop, which must run; for work
///     that waits for that very loop, take `.continuous`.
///   - body: The work. It runs as a child of the calling task, on no actor unless it names one.
/// - Returns: What the work returns.
/// - Throws: ``GRunLoop/TimeoutError`` once the time is up; else what the work throws, or what the clock throws.
public func withTimeout<Value: Sendable, Time: Clock>(
  _ limit: Time.Duration, tolerance: Time.Duration? = nil, clock: Time,
  body: sending @escaping @isolated(any) () async throws -> Value
) async throws -> Value {
  try await withDeadline(clock.now.advanced(by: limit), tolerance: tolerance, clock: clock, body: body)
}

/// Runs a piece of asynchronous work that must be done by a date; otherwise as
/// ``withTimeout(_:tolerance:clock:body:)``.
public func withDeadline<Value: Sendable, Time: Clock>(
  _ deadline: Time.Instant, tolerance: Time.Duration? = nil, clock: Time,
  body: sending @escaping @isolated(any) () async throws -> Value
) async throws -> Value {
  // Handed on to one child: the compiler does not see that a closure which is called once sends what it captures once.
  nonisolated(unsafe) let body = body
  return try await withThrowingTaskGroup(of: TimedOutcome<Value>.self) { group in
    group.addTask { .done(await result(of: body)) }
    group.addTask {
      do {
        try await clock.sleep(until: deadline, tolerance: tolerance)
        return .timeIsUp
      } catch {
        return .unmeasured(error)
      }
    }
    var problem: (any Error)?
    while let outcome = try await group.next() {
      switch outcome {
      case .done(let result):
        group.cancelAll()
        if let problem { throw problem }
        return try result.get()
      case .timeIsUp:
        problem = GRunLoop.TimeoutError(deadline: "\(deadline)")
        group.cancelAll()
      case .unmeasured(let error):
        // A cancelled sleep says that the caller was cancelled: so is the work, and its word counts.
        if !(error is CancellationError) { problem = error }
        group.cancelAll()
      }
    }
    throw CancellationError()
  }
}

private enum TimedOutcome<Value: Sendable>: Sendable {
  case done(Result<Value, any Error>)
  case timeIsUp
  case unmeasured(any Error)
}

private func result<Value: Sendable>(of body: @isolated(any) () async throws -> Value) async -> Result<Value, any Error>
{
  do { return .success(try await body()) } catch { return .failure(error) }
}

extension GRunLoop {
  /// The time for a piece of work was up before the work was done.
  public struct TimeoutError: Error, Equatable, Sendable, CustomStringConvertible {
    let deadline: String

    /// What happened, in one line.
    public var description: String { "the work was not done in time, by \(deadline), and was cancelled" }
  }
}
