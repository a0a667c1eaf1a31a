/// Queued performs in the order queued.
///
/// A chain of blocks that are filled at the end and emptied at the front. Nothing is moved when it grows, and a flood
/// uses the same memory again. One that waits is guarded by the loop's lock; one that was taken belongs to the loop's
/// thread.
struct PerformQueue: ~Copyable {
  private var head: Block?
  private var tail: Block?
  /// How many entries are here, and how many of them are cancelled.
  private(set) var count = 0
  private var cancelled = 0
  /// Nothing in it asks for another order than that of its numbers, or stands in another queue, too.
  var isPlain = true
  /// The rank of all that is in it, if it is the same; 0 while nothing is.
  private var rank: UInt8 = 0

  init() {}

  deinit {
    var block = head
    while let this = block {
      (this.entries + this.start).deinitialize(count: this.end - this.start)
      block = this.next
      this.free()
    }
  }

  /// Whether all that is here was cancelled, if anything is.
  var isEmpty: Bool { count == cancelled }
  /// How many are to run.
  var waiting: Int { count - cancelled }

  /// From the lowest to the highest number in it. The queue has entries.
  var numbers: ClosedRange<UInt64> {
    let first = head.unsafelyUnwrapped
    let last = tail.unsafelyUnwrapped
    if isPlain { return first.entries[first.start].sequence...last.entries[last.end - 1].sequence }
    var (lowest, highest) = (UInt64.max, UInt64.min)
    forEach { entry in
      lowest = min(lowest, entry.pointee.sequence)
      highest = max(highest, entry.pointee.sequence)
    }
    return lowest...highest
  }

  private func forEach(_ body: (UnsafeMutablePointer<PerformEntry>) -> Void) {
    var next = head
    while let block = next {
      for index in block.start..<block.end { body(block.entries + index) }
      next = block.next
    }
  }

  /// Whether its first entry goes before another queue's first one. Both have entries.
  func precedes(_ other: borrowing PerformQueue) -> Bool {
    let (block, otherBlock) = (head.unsafelyUnwrapped, other.head.unsafelyUnwrapped)
    let (entry, otherEntry) = (block.entries + block.start, otherBlock.entries + otherBlock.start)
    if isPlain && other.isPlain { return entry.pointee.sequence < otherEntry.pointee.sequence }
    return Self.precedes(entry, otherEntry)
  }

  private static func precedes(
    _ left: UnsafeMutablePointer<PerformEntry>, _ right: UnsafeMutablePointer<PerformEntry>
  ) -> Bool {
    let (order, otherOrder) = (left.pointee.details?.order ?? 0, right.pointee.details?.order ?? 0)
    if order != otherOrder { return order < otherOrder }
    let (rank, otherRank) = (left.pointee.rank, right.pointee.rank)
    return rank != otherRank ? rank > otherRank : left.pointee.sequence < right.pointee.sequence
  }

  @inline(__always)
  mutating func append(_ work: consuming PerformEntry.Work, _ sequence: UInt64, rank: UInt8 = PerformEntry.rank) {
    if rank != self.rank {
      if self.rank != 0 { isPlain = false }
      self.rank = rank
    }
    if tail == nil || tail.unsafelyUnwrapped.isFull { addBlock() }
    let block = tail.unsafelyUnwrapped
    (block.entries + block.end).initialize(to: PerformEntry(work: work, sequence: sequence))
    block.end += 1
    count += 1
  }

  private mutating func addBlock() {
    let block = Block.make()
    if let tail { tail.next = block } else { head = block }
    tail = block
  }

  /// Moves the first entry out. The queue must have one.
  @inline(__always)
  mutating func removeFirst() -> PerformEntry {
    let block = head.unsafelyUnwrapped
    let entry = (block.entries + block.start).move()
    block.start += 1
    count -= 1
    if block.start == block.end { dropFirstBlock() }
    return entry
  }

  private mutating func dropFirstBlock() {
    let block = head.unsafelyUnwrapped
    if let next = block.next {
      head = next
      block.free()
    } else {
      // The last one stays, for what comes next.
      block.start = 0
      block.end = 0
      (cancelled, isPlain, rank) = (0, true, 0)
    }
  }

  /// Moves all entries of another queue to the end of this one.
  mutating func append(contentsOf other: inout PerformQueue) {
    if other.count == 0 { return }
    if count == 0 { return swap(&self, &other) }
    let arePlain = isPlain && other.isPlain && numbers.upperBound < other.numbers.lowerBound
    while other.count > 0 {
      let entry = other.removeFirst()
      let (sequence, rank) = (entry.sequence, entry.rank)
      if !entry.isCancelled { append(entry.work, sequence, rank: rank) }
    }
    if !arePlain { isPlain = false }
  }

  /// Moves all that waits in a mode's line to what a pass has taken there. Returns from which to which number, if any.
  static func take(from waiting: inout PerformQueue, to taken: inout PerformQueue) -> ClosedRange<UInt64>? {
    // What counts as taken is there to run.
    waiting.dropCancelled()
    if waiting.count == 0 { return nil }
    let numbers = waiting.numbers
    let isOne = waiting.count == 1 && taken.count == 0
    taken.append(contentsOf: &waiting)
    if !isOne { taken.settle() }
    return numbers
  }

  /// Moves all entries of another queue before those of this one.
  mutating func prepend(contentsOf other: inout PerformQueue) {
    swap(&self, &other)
    append(contentsOf: &other)
  }

  /// Brings the entries into the order of their numbers.
  mutating func sortByNumber() {
    rearrange { entries in entries.indices.sorted { entries[$0].sequence < entries[$1].sequence } }
  }

  /// Brings the entries into the order in which they run: by their own orders and ranks, then by number.
  mutating func settle() {
    if isPlain || count < 2 { return }
    rearrange { entries in
      entries.indices.sorted { Self.precedes(entries.baseAddress! + $0, entries.baseAddress! + $1) }
    }
    isPlain = false
  }

  /// Takes one entry out. Nil if it is not here.
  ///
  /// - Parameter isTaken: The queue may stand in another order than that of its numbers.
  mutating func cancel(_ sequence: UInt64, isTaken: Bool = false) -> PerformEntry? {
    guard let place = isTaken && !isPlain ? search(sequence) : find(sequence), !place.pointee.isCancelled else {
      return nil
    }
    let entry = place.move()
    // Its place stays, so that a cancel costs no move of all that follow.
    place.initialize(to: PerformEntry(work: .cancelled, sequence: sequence))
    cancelled += 1
    if isEmpty {
      while count > 0 { _ = removeFirst() }
    } else if isTaken {
      dropCancelled()
    }
    return entry
  }

  private mutating func dropCancelled() {
    if cancelled == 0 { return }
    let (wasPlain, itsRank) = (isPlain, rank)
    rearrange { entries in entries.indices.filter { !entries[$0].isCancelled } }
    (isPlain, rank) = (wasPlain, itsRank)
  }

  /// In a queue that stands in the order of its numbers.
  private func find(_ sequence: UInt64) -> UnsafeMutablePointer<PerformEntry>? {
    var next = head
    while let block = next, block.start < block.end, block.entries[block.end - 1].sequence < sequence {
      next = block.next
    }
    guard let block = next, let index = block.find(sequence) else { return nil }
    return block.entries + index
  }

  private func search(_ sequence: UInt64) -> UnsafeMutablePointer<PerformEntry>? {
    var found: UnsafeMutablePointer<PerformEntry>?
    forEach { if $0.pointee.sequence == sequence { found = $0 } }
    return found
  }

  /// Brings the entries into the order of the places that `body` returns; those that it leaves out are dropped.
  private mutating func rearrange(_ body: (UnsafeMutableBufferPointer<PerformEntry>) -> [Int]) {
    let entries = UnsafeMutableBufferPointer<PerformEntry>.allocate(capacity: count)
    defer { entries.deallocate() }
    for index in entries.indices { entries.initializeElement(at: index, to: removeFirst()) }
    let order = body(entries)
    if order.count < entries.count {
      for index in Set(entries.indices).subtracting(order) { entries.deinitializeElement(at: index) }
    }
    for index in order {
      let entry = entries.moveElement(from: index)
      let sequence = entry.sequence
      append(entry.work, sequence)
    }
  }
}

/// Room for some entries, in one piece of memory with its bookkeeping.
private struct Block {
  private struct Header {
    var next: Block?
    var start: Int32 = 0
    var end: Int32 = 0
  }

  /// With malloc's own header, four kilobytes.
  private static let capacity = (4096 - 16 - MemoryLayout<Header>.stride) / MemoryLayout<PerformEntry>.stride

  private let header: UnsafeMutablePointer<Header>

  static func make() -> Block {
    let room = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<Header>.stride + capacity * MemoryLayout<PerformEntry>.stride,
      alignment: MemoryLayout<PerformEntry>.alignment)
    return Block(header: room.initializeMemory(as: Header.self, to: Header()))
  }

  private init(header: UnsafeMutablePointer<Header>) { self.header = header }

  /// The entries must be gone.
  func free() { UnsafeMutableRawPointer(header).deallocate() }

  var entries: UnsafeMutablePointer<PerformEntry> {
    UnsafeMutableRawPointer(header + 1).assumingMemoryBound(to: PerformEntry.self)
  }

  var next: Block? {
    get { header.pointee.next }
    nonmutating set { header.pointee.next = newValue }
  }

  /// The first entry that is still here.
  var start: Int {
    get { Int(header.pointee.start) }
    nonmutating set { header.pointee.start = Int32(truncatingIfNeeded: newValue) }
  }

  /// Behind the last one.
  var end: Int {
    get { Int(header.pointee.end) }
    nonmutating set { header.pointee.end = Int32(truncatingIfNeeded: newValue) }
  }

  var isFull: Bool { end == Self.capacity }

  func find(_ sequence: UInt64) -> Int? {
    var low = start
    var high = end
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low < end && entries[low].sequence == sequence ? low : nil
  }
}
