import GLibRunLoop

extension Driver {
  /// What goes round while a manual clock advances.
  package var mover: GRunLoop.ManualClock.Driver { self == .swift ? .run(.default) : .iteration }
}

/// Runs a test's body on a thread whose time is moved by hand.
@discardableResult
package func inManualTime<Value: Sendable>(
  _ body: @escaping @Sendable (GRunLoop.ManualClock) throws -> Value
) async throws -> Value {
  try await onLoopThread { try GRunLoop.withManualClock { try body($0) } }
}
