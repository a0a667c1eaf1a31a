import GLibRunLoop
import Testing

/// Gives a task a loop that another thread runs, one way or the other, until the task is done.
@discardableResult
func withDrivenLoop<Value>(_ driver: Driver, _ body: (GRunLoop) async throws -> Value) async throws -> Value {
  let worker = DrivenWorker(driver)
  do {
    let value = try await body(worker.loop)
    worker.finish()
    return value
  } catch {
    worker.finish()
    throw error
  }
}

extension GRunLoop {
  /// How many items of a kind are in the loop. What another thread invalidated is out at once.
  func count(of kind: String) -> Int {
    debugDescription.split(separator: "\n").count { $0.hasPrefix("    \(kind)") }
  }

  /// Awaits that the loop's thread has done all that it was told to so far.
  func settle() async throws { try await performAndWait {} }
}

extension Trait where Self == TimeLimitTrait {
  /// For a broken loop, not for a slow machine.
  static var patient: Self { .timeLimit(.minutes(10)) }
}
