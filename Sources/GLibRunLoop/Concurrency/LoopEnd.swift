extension GRunLoop {
  /// Tells of the loop's end, for as long as it is held by the loop: until then, or until it is invalidated.
  ///
  /// - Parameter body: Called once, also when it is invalidated, on whichever thread that is.
  /// - Returns: An item that keeps no mode running and is never called.
  /// - Throws: ``Failure`` if the loop has ended already; then `body` is not needed, but is called all the same.
  package func tellOfEnd(_ body: @escaping @Sendable () -> Void) throws(Failure) -> Item {
    let witness = Self.witness(body)
    if let failure = begin(witness, inModes: [.common]) { throw failure }
    return witness
  }

  private static func witness(_ body: @escaping @Sendable () -> Void) -> Observer {
    let last = LastWord(body)
    // Behind all others, so that they are not moved.
    return Observer(activities: [], order: .max, sendableHandler: { _, _ in withExtendedLifetime(last) {} })
  }
}

/// Held by an item's handler alone.
private final class LastWord: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  deinit { body() }
}
