/// Something to do that one thread names and another one does.
final class Action: Sendable {
  private let storage = Locked<Boxed?>(nil)

  private struct Boxed: @unchecked Sendable {
    // Called once, after it was stored.
    let body: () -> Void
  }

  func store(_ body: @escaping () -> Void) {
    let boxed = Boxed(body: body)
    storage.withLock { $0 = boxed }
  }

  func run() { storage.withLock { $0 }?.body() }
}
