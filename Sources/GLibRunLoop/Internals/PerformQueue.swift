import CRunLoopShims

/// A piece of queued work.
struct PerformEntry {
  enum Work {
    case closure(() -> Void)
    case job(UnownedJob)
    case function(@convention(c) (UnsafeMutableRawPointer?) -> Void, UnsafeMutableRawPointer?)
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

/// Entries in a row that are moved in at the end and moved out, so that no closure is copied.
struct PerformBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<PerformEntry>?
  private var capacity = 0
  private var start = 0
  private(set) var end = 0

  init() {}

  deinit {
    if let base {
      (base + start).deinitialize(count: end - start)
      base.deallocate()
    }
  }

  var isEmpty: Bool { start == end }
  var count: Int { end - start }
  /// A burst's room is not kept.
  var isLarge: Bool { capacity > 4096 }

  /// The entries that are still here.
  var entries: UnsafeMutableBufferPointer<PerformEntry> {
    UnsafeMutableBufferPointer(start: base.map { $0 + start }, count: end - start)
  }

  @inline(__always)
  mutating func append(_ entry: consuming PerformEntry) {
    if end == capacity { grow() }
    (base! + end).initialize(to: entry)
    end += 1
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<PerformEntry>.allocate(capacity: max(16, capacity * 2))
    if let base {
      larger.moveInitialize(from: base + start, count: end - start)
      base.deallocate()
    }
    capacity = max(16, capacity * 2)
    end -= start
    start = 0
    base = larger
  }

  @inline(__always)
  mutating func removeFirst() -> PerformEntry {
    start += 1
    return (base! + (start - 1)).move()
  }

  mutating func removeAll() {
    if let base { (base + start).deinitialize(count: end - start) }
    reset()
  }

  /// For a buffer that is empty: the room is there again.
  mutating func reset() {
    start = 0
    end = 0
  }
}

/// The queued performs of one mode and priority, in the order queued. Guarded by the loop's lock.
struct PerformQueue: ~Copyable {
  private var buffer = PerformBuffer()
  /// How many entries are cancelled.
  private var cancelled = 0

  var isEmpty: Bool { buffer.count == cancelled }

  @inline(__always)
  mutating func append(_ entry: consuming PerformEntry) { buffer.append(entry) }

  /// Puts entries back that were taken and not run. They are older than all that wait here.
  mutating func prepend(_ older: [PerformEntry]) {
    var joined = PerformBuffer()
    for entry in older { joined.append(entry) }
    while !buffer.isEmpty { joined.append(buffer.removeFirst()) }
    buffer = joined
  }

  /// Exchanges all that waits for an empty buffer with some room.
  mutating func takeAll(leaving empty: inout PerformBuffer) {
    swap(&buffer, &empty)
    cancelled = 0
  }

  /// Takes one entry out. Nil if it is not here.
  mutating func cancel(_ sequence: UInt64) -> PerformEntry? {
    let entries = buffer.entries
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].sequence == sequence else { return nil }
    let entry = entries[low]
    if case .nothing = entry.work { return nil }
    // Its place stays, so that a cancel costs no move of all that follow.
    entries[low] = PerformEntry(work: .nothing, sequence: sequence, details: nil)
    cancelled += 1
    if isEmpty {
      buffer.removeAll()
      cancelled = 0
    }
    return entry
  }
}

/// A batch that is being run. Everything but the numbers belongs to the loop's thread.
final class PerformBatch {
  @exclusivity(unchecked) var buffer = PerformBuffer()
  @exclusivity(unchecked) var priority = GRunLoop.Priority.default
  @exclusivity(unchecked) var outer: PerformBatch?
  /// The numbers of the entries that it was made of. Guarded by the loop's lock.
  @exclusivity(unchecked) var sequences: ClosedRange<UInt64> = 0...0
}
