/// What a scenario does: items, what is done to them, and what happens from outside meanwhile. It says nothing of the
/// loop that it is played on.
package struct Scenario: Equatable, Sendable {
  /// An item is known by its place here. Nothing is in a mode before a step puts it there.
  package var items: [Item]
  /// What the thread does, one after the other.
  package var steps: [Op]
  /// What other threads do, once the loop sleeps at a date that is not before theirs.
  package var happenings: [Happening]

  package init(items: [Item], steps: [Op], happenings: [Happening] = []) {
    self.items = items
    self.steps = steps
    self.happenings = happenings
  }
}

package struct Item: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case source(order: Int = 0)
    /// First due at a slot, then every so many slots.
    case timer(at: Int, every: Int? = nil, order: Int = 0)
    case observer(of: Activities, order: Int = 0, repeats: Bool = true)
    /// A closure that is queued for these modes each time that a step says so.
    case perform([Mode])
  }

  package var kind: Kind
  /// What its first call does, its second, and so on; calls after the last do nothing. So every scenario ends.
  package var calls: [[Op]]

  package init(_ kind: Kind, _ calls: [Op]...) {
    self.kind = kind
    self.calls = calls
  }
}

package struct Happening: Equatable, Sendable {
  package var slot: Int
  package var ops: [Op]

  package init(at slot: Int, _ ops: [Op]) {
    self.slot = slot
    self.ops = ops
  }
}

package enum Op: Equatable, Sendable {
  case add(Int, Mode)
  case remove(Int, Mode)
  case invalidate(Int)
  case signal(Int)
  case perform(Int)
  /// A timer's date.
  case move(Int, to: Int)
  /// Makes a mode one of the common set.
  case join(Mode)
  case wakeUp
  case stop
  case run(Mode, until: Limit, returnsAfterSource: Bool = false)
  /// Whoever says this is busy until then.
  case busy(until: Int)
}

package enum Limit: Equatable, Sendable {
  /// One pass without sleep.
  case zero
  case slot(Int)
  case never
}

package enum Mode: Int, CaseIterable, Sendable {
  case main, common, a, b
  /// Apple's mode for event tracking.
  case tracking
}

package struct Activities: OptionSet, Hashable, Sendable {
  package let rawValue: UInt

  package init(rawValue: UInt) { self.rawValue = rawValue }

  package static let entry = Activities(rawValue: 1)
  package static let beforeTimers = Activities(rawValue: 2)
  package static let beforeSources = Activities(rawValue: 4)
  package static let beforeWaiting = Activities(rawValue: 32)
  package static let afterWaiting = Activities(rawValue: 64)
  package static let exit = Activities(rawValue: 128)
  static let names: [(Activities, String)] = [
    (.entry, "entry"), (.beforeTimers, "beforeTimers"), (.beforeSources, "beforeSources"),
    (.beforeWaiting, "beforeWaiting"), (.afterWaiting, "afterWaiting"), (.exit, "exit"),
  ]
  package static let all = Activities(rawValue: 1 | 2 | 4 | 32 | 64 | 128)
}

enum Outcome: Int, Sendable {
  case finished = 1
  case stopped, timedOut, handledSource
}

/// Scenarios count time in slots; within one, the things that can come have each a moment of its own, so that no two
/// different things are ever due at once, and a sleep that ends a little late does not change what comes next.
enum Moment {
  static let slot = 16
  static func timer(_ slot: Int) -> Int { slot * Self.slot }
  static func busy(_ slot: Int) -> Int { slot * Self.slot + 2 }
  static func happening(_ slot: Int) -> Int { slot * Self.slot + 4 }
  static func limit(_ slot: Int) -> Int { slot * Self.slot + 8 }
  /// How late a sleep ends.
  static let lateness = 1
  /// Where a scenario begins: what is due in slot 0 is due already.
  static let start = 1
  /// A loop that would sleep past this is idle.
  static let end = 24 * Self.slot + 12
  /// A 64th of a second, so that Core Foundation's floating point holds every moment.
  static let nanoseconds: Int64 = 15_625_000
}
