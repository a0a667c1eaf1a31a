/// One item in one mode: where it stands in the mode's own tables, so that it leaves them without a search.
final class Membership {
  unowned(unsafe) let item: GRunLoop.Item
  /// Modes live as long as their loop, and a membership no longer.
  unowned(unsafe) let state: ModeState
  @exclusivity(unchecked) var listIndex = 0
  /// A timer's place in the heap of its clock; negative while it waits in none.
  @exclusivity(unchecked) var heapIndex = -1

  init(item: GRunLoop.Item, state: ModeState) {
    self.item = item
    self.state = state
  }
}

/// The modes that an item is in: nearly always one.
struct Memberships {
  private(set) var first: Membership?
  private var others: [Membership] = []

  var isEmpty: Bool { first == nil }

  mutating func append(_ membership: Membership) {
    if first == nil { first = membership } else { others.append(membership) }
  }

  mutating func remove(_ membership: Membership) {
    if first === membership {
      first = others.popLast()
    } else {
      others.removeAll { $0 === membership }
    }
  }

  func membership(in state: ModeState) -> Membership? {
    if first?.state === state { return first }
    return others.first { $0.state === state }
  }

  @inline(__always)
  func forEach(_ body: (Membership) -> Void) {
    if let first { body(first) }
    for membership in others { body(membership) }
  }

  var all: [Membership] { first.map { [$0] + others } ?? [] }
}
