/// An item's place in one mode: where it stands in the mode's own tables, so that it leaves them without a search.
struct Slot {
  /// Modes live as long as their loop, and a slot no longer.
  let state: ModeState
  /// Where the mode's table of items has it.
  let place: Int32
  /// Whether a source is on the list of the signalled.
  var isListed = false
}

/// The modes that an item is in. Nearly always it is one, which costs no allocation.
struct Slots {
  private(set) var first: Slot?
  private var others: [Slot] = []

  var isEmpty: Bool { first == nil }
  var hasSeveral: Bool { !others.isEmpty }

  @inline(__always)
  func contains(_ state: ModeState) -> Bool {
    guard let first else { return false }
    return first.state == state || (hasSeveral && others.contains { $0.state == state })
  }

  mutating func add(_ slot: Slot) {
    if first == nil { first = slot } else { others.append(slot) }
  }

  mutating func remove(_ state: ModeState) {
    if first?.state == state { first = others.popLast() } else { others.removeAll { $0.state == state } }
  }

  /// The slot of a mode that the item is in.
  subscript(state: ModeState) -> Slot {
    @inline(__always)
    get {
      if let first, first.state == state { return first }
      return others.first { $0.state == state }!
    }
    @inline(__always)
    set {
      if let first, first.state == state {
        self.first = newValue
      } else {
        others[others.firstIndex { $0.state == state }!] = newValue
      }
    }
  }

  @inline(__always)
  func forEach(_ body: (Slot) -> Void) {
    if let first { body(first) }
    if hasSeveral { others.forEach(body) }
  }

  var states: [ModeState] { first.map { [$0.state] + others.map(\.state) } ?? [] }
}
