/// Queued performs in the order queued.
///
/// A chain of blocks that are filled at the end and emptied at the front. Nothing is moved when it grows, and a flood
/// uses the same memory again. One that waits is guarded by the loop's lock; one that was taken out as a batch belongs
/// to the loop's thread.
struct PerformQueue: ~Copyable {
  final class Box {
    @exclusivity(unchecked) var queue = PerformQueue()
  }

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

  /// From the first entry's number to the last one's. The queue has entries.
  var numbers: ClosedRange<UInt64> {
    let first = head.unsafelyUnwrapped
    let last = tail.unsafelyUnwrapped
    return first.entries[first.start].sequence...last.entries[last.end - 1].sequence
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

  /// Moves all entries of another queue to the end of this one, which is not plain then.
  mutating func append(contentsOf other: inout PerformQueue) {
    isPlain = false
    while other.count > 0 {
      let entry = other.removeFirst()
      let sequence = entry.sequence
      append(entry.work, sequence)
    }
  }

  /// Moves entries back that were taken and not run. In the mode that ran they are older than all that wait; in others
  /// of their modes they need not be.
  mutating func putBack(_ entries: inout PerformQueue) {
    append(contentsOf: &entries)
    rearrange { entries in
      entries.indices.filter { !entries[$0].isCancelled }.sorted { entries[$0].sequence < entries[$1].sequence }
    }
    cancelled = 0
    isPlain = false
  }

  /// Takes one entry out. Nil if it is not here.
  mutating func cancel(_ sequence: UInt64) -> PerformEntry? {
    var next = head
    while let block = next, block.start < block.end, block.entries[block.end - 1].sequence < sequence {
      next = block.next
    }
    guard let block = next, let index = block.find(sequence), !block.entries[index].isCancelled else { return nil }
    let entry = (block.entries + index).move()
    // Its place stays, so that a cancel costs no move of all that follow.
    (block.entries + index).initialize(to: PerformEntry(work: .cancelled, sequence: sequence))
    cancelled += 1
    if isEmpty {
      while count > 0 { _ = removeFirst() }
    }
    return entry
  }

  /// Brings the entries into the order of the places that `body` returns; those that it leaves out are dropped.
  mutating func rearrange(_ body: (UnsafeMutableBufferPointer<PerformEntry>) -> [Int]) {
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
