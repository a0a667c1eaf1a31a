/// Runs a test's body on a thread of its own, which has a loop of its own, and awaits its end. Swift's own threads,
/// which a test with tasks needs and of which there may be two, are free meanwhile.
@discardableResult
func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
  let thread = TestThread { continuation.yield(Result { try body() }) }
  for await result in results {
    thread.join()
    return try result.get()
  }
  throw CancellationError()
}
