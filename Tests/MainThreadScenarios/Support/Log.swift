/// What happened, in order, from any thread.
final class Log<Entry: Sendable>: Sendable {
  private let storage = Locked<[Entry]>([])

  init(of type: Entry.Type = Entry.self) {}

  func append(_ entry: Entry) { storage.withLock { $0.append(entry) } }
  var entries: [Entry] { storage.withLock { $0 } }
  var count: Int { storage.withLock { $0.count } }
}
