import CRunLoopShims

/// A piece of queued work.
struct PerformEntry {
  enum Work {
    case closure(() -> Void)
    case job(UnownedJob)
    /// An item whose priority is not the default one, and the mode through which it became ready.
    case turn(GRunLoop.Item, ModeState)
    /// Cancelled.
    case nothing
  }

  var work: Work
  let sequence: UInt64
  /// Only what is not a plain perform in the common modes has this.
  let details: PerformDetails?
}

/// What is rarely asked for: kept beside the entry, so that a plain perform pays nothing for it.
final class PerformDetails {
  let states: [ModeState]
  let order: Int
  let target: AnyObject?
  let name: String?
  /// Called instead of the closure when its turn will never come.
  let abandon: ((GRunLoop.Failure) -> Void)?

  init(
    states: [ModeState], order: Int = 0, target: AnyObject? = nil, name: String? = nil,
    abandon: ((GRunLoop.Failure) -> Void)? = nil
  ) {
    self.states = states
    self.order = order
    self.target = target
    self.name = name
    self.abandon = abandon
  }
}

/// The queued performs of one mode and priority, in the order queued. Guarded by the loop's lock.
struct PerformQueue {
  private var entries: [PerformEntry] = []
  /// A used array kept for its room.
  private var spare: [PerformEntry] = []
  /// How many entries are not cancelled.
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ entry: PerformEntry) {
    entries.append(entry)
    count += 1
  }

  /// Puts entries back that were taken and not run. They are older than all that wait here.
  mutating func prepend(_ older: [PerformEntry]) {
    entries.insert(contentsOf: older, at: 0)
    count += older.count
  }

  mutating func takeAll() -> [PerformEntry] {
    let taken = entries
    entries = spare
    spare = []
    count = 0
    return taken
  }

  /// Gives back the room of a batch that has run.
  mutating func recycle(_ used: consuming [PerformEntry]) {
    guard used.capacity <= 4096, spare.capacity < used.capacity else { return }
    used.removeAll(keepingCapacity: true)
    if entries.capacity == 0 { entries = used } else { spare = used }
  }

  /// Takes one entry out. Nil if it is not here.
  mutating func cancel(_ sequence: UInt64) -> PerformEntry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].sequence == sequence else { return nil }
    let entry = entries[low]
    if case .nothing = entry.work { return nil }
    count -= 1
    // Its place stays, so that a cancel costs no move of all that follow.
    entries[low] = PerformEntry(work: .nothing, sequence: sequence, details: nil)
    if count == 0 { entries = [] }
    return entry
  }
}

/// A batch that is being run. Its `next` belongs to the loop's thread; the rest does not change.
final class PerformBatch {
  let entries: [PerformEntry]
  let priority: GRunLoop.Priority
  let outer: PerformBatch?
  @exclusivity(unchecked) var next = 0

  init(entries: [PerformEntry], priority: GRunLoop.Priority, outer: PerformBatch?) {
    self.entries = entries
    self.priority = priority
    self.outer = outer
  }
}
