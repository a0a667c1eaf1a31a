/// What happened, in order, from any thread.
public final class Log<Entry: Sendable>: Sendable {
  private let storage = Locked<[Entry]>([])

  public init(of type: Entry.Type = Entry.self) {}

  public func append(_ entry: Entry) { storage.withLock { $0.append(entry) } }
  public var entries: [Entry] { storage.withLock { $0 } }
  public var count: Int { storage.withLock { $0.count } }
}
