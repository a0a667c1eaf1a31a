/// A background step, and what it came to.
final class Work<Value, Update>: @unchecked Sendable {
  // Invariant for @unchecked: whoever makes it hands it to the worker, and looks again when that is done.
  private var body: ((GRunLoop.Reporter<Update>) async throws -> sending Value)?
  private var result: Result<Value, any Error>?

  init(_ body: @escaping (GRunLoop.Reporter<Update>) async throws -> sending Value) { self.body = body }

  /// On the worker. A task that is cancelled already does not begin.
  func run(_ reporter: GRunLoop.Reporter<Update>) async {
    do {
      try Task.checkCancellation()
      result = .success(try await body!(reporter))
    } catch {
      result = .failure(error)
    }
    // What it took along is freed where it was used.
    body = nil
  }

  /// Once, when the worker is done.
  func takeResult() -> Result<Value, any Error> {
    defer { result = nil }
    return result!
  }
}
