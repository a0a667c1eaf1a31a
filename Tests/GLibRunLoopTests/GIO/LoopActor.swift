import GLibRunLoop
import Testing

/// An actor that lives on a loop, to run a test's steps there.
actor LoopActor {
  nonisolated let loop: GRunLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ loop: GRunLoop) { self.loop = loop }

  func run<Value: Sendable>(_ body: @Sendable (isolated LoopActor) async throws -> Value) async rethrows -> Value {
    try await body(self)
  }
}

/// Runs a body on an actor whose loop a thread of its own drives, until the body is done.
func onDrivenActor<Value: Sendable>(
  _ driver: Driver, _ body: @escaping @Sendable (isolated LoopActor) async throws -> Value
) async throws -> Value {
  try await onLoopThread {
    let drive = Drive(driver)
    let actor = LoopActor(drive.loop)
    let results = Log(of: Result<Value, any Error>.self)
    Task.detached {
      do {
        results.append(.success(try await actor.run(body)))
      } catch {
        results.append(.failure(error))
      }
      drive.loop.perform { drive.quit() }
    }
    drive.run()
    return try #require(results.entries.first).get()
  }
}
