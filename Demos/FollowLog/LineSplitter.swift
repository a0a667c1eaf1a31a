/// Makes lines of bytes that come in pieces.
struct LineSplitter {
  /// A line that is longer is cut, so that a file without line ends does not fill the memory.
  private static let limit = 1 << 16
  private static let lineEnd = UInt8(ascii: "\n")

  private var pending: [UInt8] = []

  /// Calls `body` with every line that is complete now, without its end.
  mutating func append(_ bytes: some Collection<UInt8>, _ body: ([UInt8]) -> Void) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: Self.lineEnd) {
      body(pending + rest[..<end])
      pending.removeAll(keepingCapacity: true)
      rest = rest[rest.index(after: end)...]
    }
    pending += rest
    if pending.count >= Self.limit { flush(body) }
  }

  /// No more will come: what is left is a line, too.
  mutating func flush(_ body: ([UInt8]) -> Void) {
    if !pending.isEmpty { body(pending) }
    pending = []
  }
}
