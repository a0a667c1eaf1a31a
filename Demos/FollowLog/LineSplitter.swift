/// Makes lines of bytes that come in pieces.
struct LineSplitter {
  /// Nearly always a whole line.
  struct Piece {
    /// Without the line's end.
    let bytes: [UInt8]
    /// What comes before it in its line was given already.
    let continues: Bool
    let ends: Bool
  }

  /// A line that is longer is cut, so that a file without line ends does not fill the memory.
  private static let limit = 1 << 16
  private static let lineEnd = UInt8(ascii: "\n")

  private var pending: [UInt8] = []
  /// How much of the line was given already.
  private var given = 0

  var isEmpty: Bool { pending.isEmpty }

  /// Calls `body` with every line that is complete now.
  mutating func append(_ bytes: some Collection<UInt8>, _ body: (Piece) -> Void) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: Self.lineEnd) {
      pending += rest[..<end]
      cut(body)
      give(ends: true, body)
      rest = rest[rest.index(after: end)...]
    }
    pending += rest
    cut(body)
  }

  /// Gives what there is of a line whose end is long in coming.
  mutating func giveUnfinished(_ body: (Piece) -> Void) {
    if !pending.isEmpty { give(ends: false, body) }
  }

  /// No more will come: what is left is a line, too.
  mutating func flush(_ body: (Piece) -> Void) {
    if !pending.isEmpty || given > 0 { give(ends: true, body) }
  }

  private mutating func cut(_ body: (Piece) -> Void) {
    while given + pending.count > Self.limit {
      let rest = Array(pending[(Self.limit - given)...])
      pending.removeLast(rest.count)
      give(ends: true, body)
      pending = rest
    }
  }

  private mutating func give(ends: Bool, _ body: (Piece) -> Void) {
    body(Piece(bytes: pending, continues: given > 0, ends: ends))
    given = ends ? 0 : given + pending.count
    pending.removeAll(keepingCapacity: true)
  }
}
