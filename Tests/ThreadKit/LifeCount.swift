/// Counts the tokens that are alive, so that a test sees whether a closure that captured one is gone.
public final class LifeCount: Sendable {
  private let alive = Locked(0)

  public init() {}

  public var value: Int { alive.withLock { $0 } }

  public func token() -> Token { Token(self) }

  public final class Token: Sendable {
    private let count: LifeCount

    fileprivate init(_ count: LifeCount) {
      self.count = count
      count.alive.withLock { $0 += 1 }
    }

    deinit { count.alive.withLock { $0 -= 1 } }

    /// Something for a closure to do with it.
    public func touch() {}
  }
}
