/// A request that waits for its answer. Whoever takes it out of its port's table settles it, so it is settled once.
final class Question: @unchecked Sendable {
  // Invariant for @unchecked: `settle` does not change; the rest is guarded by the port's monitor.
  let settle: @Sendable (Result<PortMessage, any Error>) -> Void
  var sequence: UInt64 = 0
  var packet: Packet?
  /// Cancelled, perhaps before it was asked.
  var isCancelled = false

  init(settle: @escaping @Sendable (Result<PortMessage, any Error>) -> Void) { self.settle = settle }
}
