import GLibRunLoop
import Synchronization

/// What a handle may stand for.
enum HandleKind: UInt32 {
  case loop, perform, timer, source, observer, descriptorSource, signalSource, childSource, foreignSource

  var isItem: Bool { self != .loop && self != .perform }
}

/// The handles that C holds in place of objects.
///
/// A handle looks like a pointer to C and is none: it is the number of a slot and that slot's generation, so that one
/// that was given up, or any other number, is told from a good one without being followed. Slots are used again, each
/// time as another generation, and never freed.
///
/// The references that the program holds are counted here, and those of the library's own, each by itself: a program can
/// give up no more than it has. Together they hold the object once. A call-back keeps its item's slot, too: while it is
/// called there is a handle to give to it, although the program may have given up its own.
enum HandleTable {
  /// Whose a reference is. The library's own are for the time of a call, or for the loops that it hands out unasked.
  enum Holder {
    case program, library

    fileprivate var one: Int { self == .program ? 1 : 1 << 32 }
    fileprivate func count(in holds: Int) -> Int {
      self == .program ? holds & (1 << 32 - 1) : holds >> 32 & (1 << 24 - 1)
    }
  }

  private struct Slot: ~Copyable {
    /// The upper half of the handle; changed when the slot is freed. Releasing and acquiring: who finds a handle's own
    /// generation here sees what was written for it.
    let generation = Atomic<UInt32>(1)
    /// How many references the program holds, how many the library, and `callbackHold`. Acquiring and releasing: see
    /// `release`.
    let holds = Atomic<Int>(0)
    /// Written while the slot is free; retained as long as there is a reference.
    var object: Unmanaged<AnyObject>
    var kind: HandleKind
    /// Of the free slots, under the lock: the next one.
    var nextFree: Int?
  }

  private static let callbackHold = 1 << 56
  private static let kindBits = 4

  /// Guards the making and freeing of slots.
  private static let lock = Lock()
  private nonisolated(unsafe) static var firstFree: Int?
  private nonisolated(unsafe) static var count = 0
  /// Each twice as large as the one before. Written under the lock, releasing; read without it, acquiring.
  private nonisolated(unsafe) static let chunks: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<Slot>?>> = {
    let chunks = UnsafeMutablePointer<Atomic<UnsafeMutablePointer<Slot>?>>.allocate(capacity: chunkCount)
    for index in 0..<chunkCount { (chunks + index).initialize(to: Atomic(nil)) }
    return chunks
  }()
  /// So many that an index fits beside the kind.
  private static let chunkCount = 20
  private static let firstChunkSize = 256

  private static func place(of index: Int) -> (chunk: Int, offset: Int) {
    let chunk = Int.bitWidth - 1 - (index / firstChunkSize + 1).leadingZeroBitCount
    return (chunk, index - firstChunkSize * ((1 << chunk) - 1))
  }

  private static func slot(at index: Int) -> UnsafeMutablePointer<Slot>? {
    let (chunk, offset) = place(of: index)
    guard chunk < chunkCount, let slots = chunks[chunk].load(ordering: .acquiring) else { return nil }
    return slots + offset
  }

  /// The slot of a good handle.
  private static func slot(of handle: OpaquePointer?) -> (slot: UnsafeMutablePointer<Slot>, index: Int)? {
    let bits = UInt(bitPattern: handle)
    let index = Int(UInt32(truncatingIfNeeded: bits) >> UInt32(kindBits))
    guard let slot = slot(at: index),
      slot.pointee.generation.load(ordering: .acquiring) == UInt32(truncatingIfNeeded: bits >> 32),
      slot.pointee.kind.rawValue == UInt32(truncatingIfNeeded: bits) & (1 << UInt32(kindBits) - 1)
    else { return nil }
    return (slot, index)
  }

  /// A handle with one reference.
  static func make(
    _ object: AnyObject, _ kind: HandleKind, for holder: Holder = .program, heldByCallback: Bool = false
  ) -> OpaquePointer {
    lock.withLock {
      if firstFree == nil { addChunk() }
      let index = firstFree!
      let slot = slot(at: index)!
      firstFree = slot.pointee.nextFree
      slot.pointee.object = Unmanaged.passRetained(object)
      slot.pointee.kind = kind
      slot.pointee.nextFree = nil
      // Relaxed: nobody has it.
      slot.pointee.holds.store(holder.one + (heldByCallback ? callbackHold : 0), ordering: .relaxed)
      let generation = slot.pointee.generation.load(ordering: .relaxed)
      slot.pointee.generation.store(generation, ordering: .releasing)
      let bits = UInt(generation) << 32 | UInt(index) << UInt(kindBits) | UInt(kind.rawValue)
      return OpaquePointer(bitPattern: bits)!
    }
  }

  /// Under the lock: the next chunk, all of whose slots are free.
  private static func addChunk() {
    let chunk = place(of: count).chunk
    precondition(chunk < chunkCount, "more than two hundred million handles are in use")
    let size = firstChunkSize << chunk
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: size)
    let none = Unmanaged<AnyObject>.passUnretained(NoObject.only)
    for offset in 0..<size {
      let next = offset + 1 < size ? count + offset + 1 : nil
      (slots + offset).initialize(to: Slot(object: none, kind: .loop, nextFree: next))
    }
    chunks[chunk].store(slots, ordering: .releasing)
    firstFree = count
    count += size
  }

  private final class NoObject: Sendable {
    static let only = NoObject()
  }

  /// The object, if the handle is good, and there is a reference.
  static func object(_ handle: OpaquePointer?) -> (object: AnyObject, kind: HandleKind)? {
    // Relaxed: a look; who calls with a reference that another thread gives up meanwhile breaks the contract.
    guard let (slot, _) = slot(of: handle), references(slot.pointee.holds.load(ordering: .relaxed)) > 0 else {
      return nil
    }
    return (slot.pointee.object.takeUnretainedValue(), slot.pointee.kind)
  }

  private static func references(_ holds: Int) -> Int { holds & (callbackHold - 1) }

  /// One more reference. The caller has one, or is the call-back.
  static func retain(_ handle: OpaquePointer, for holder: Holder) {
    guard let (slot, _) = slot(of: handle) else { return }
    let holds = slot.pointee.holds.wrappingAdd(holder.one, ordering: .acquiringAndReleasing).oldValue
    if references(holds) == 0 { _ = slot.pointee.object.retain() }
  }

  /// One reference more, unless the last was given up.
  static func retainIfHeld(_ handle: OpaquePointer, for holder: Holder) -> Bool {
    guard let (slot, _) = slot(of: handle) else { return false }
    var holds = slot.pointee.holds.load(ordering: .relaxed)
    while references(holds) > 0 {
      let (exchanged, original) = slot.pointee.holds.weakCompareExchange(
        expected: holds, desired: holds + holder.one, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      holds = original
    }
    return false
  }

  /// One reference less. False if the holder has none.
  @discardableResult static func release(_ handle: OpaquePointer, by holder: Holder) -> Bool {
    guard let (slot, index) = slot(of: handle) else { return false }
    let object = slot.pointee.object
    var holds = slot.pointee.holds.load(ordering: .relaxed)
    while holder.count(in: holds) > 0 {
      // Acquiring and releasing: whoever gives up the last hold sees what the others did with the slot.
      let (exchanged, original) = slot.pointee.holds.weakCompareExchange(
        expected: holds, desired: holds - holder.one, ordering: .acquiringAndReleasing)
      if exchanged {
        if holds == holder.one { free(slot, index) }
        if references(holds) == holder.one { object.release() }
        return true
      }
      holds = original
    }
    return false
  }

  /// The item's call-back is gone.
  static func releaseByCallback(_ handle: OpaquePointer) {
    guard let (slot, index) = slot(of: handle) else { return }
    // Acquiring and releasing: as above.
    let holds = slot.pointee.holds.wrappingSubtract(callbackHold, ordering: .acquiringAndReleasing).oldValue
    if holds == callbackHold { free(slot, index) }
  }

  private static func free(_ slot: UnsafeMutablePointer<Slot>, _ index: Int) {
    lock.withLock {
      let generation = slot.pointee.generation.load(ordering: .relaxed) &+ 1
      slot.pointee.generation.store(generation == 0 ? 1 : generation, ordering: .releasing)
      slot.pointee.nextFree = firstFree
      firstFree = index
    }
  }
}
