import Synchronization

/// Everything that a loop knows of one mode; the common set is one more of these. Guarded by the loop's lock.
///
/// A name for a place in memory that lives as long as the loop. It is no class because the loop looks at its modes some
/// ten times a pass: each look at an object is counted twice, which made half of the time of a busy loop's pass.
struct ModeState: Hashable {
  private struct Data: ~Copyable {
    let mode: GRunLoop.Mode
    var items: [GRunLoop.Item] = []
    let liveCount = Atomic<Int>(0)
    var observers: [GRunLoop.Observer] = []
    var activities: GRunLoop.Activities = []
    var signalled: [GRunLoop.Source] = []
    var timers = TimerHeap()
    var otherTimers = OtherTimers()
    var performs = PerformQueue()
    var lanes: [GRunLoop.Priority: Lane] = [:]
    var descriptors: DescriptorSet?
    var binding: ContextBinding?

    init(mode: GRunLoop.Mode) { self.mode = mode }
  }

  private let data: UnsafeMutablePointer<Data>

  init(mode: GRunLoop.Mode) {
    data = .allocate(capacity: 1)
    data.initialize(to: Data(mode: mode))
  }

  /// Called by the loop that made it, when that goes.
  func free() {
    data.deinitialize(count: 1)
    data.deallocate()
  }

  var mode: GRunLoop.Mode { data.pointee.mode }
  private(set) var items: [GRunLoop.Item] {
    _read { yield data.pointee.items }
    nonmutating _modify { yield &data.pointee.items }
  }

  /// Whether there is an item that keeps the mode alive. Changed under the lock; the loop's thread may look without:
  /// relaxed, since whoever takes the last one out wakes it.
  var hasLiveItems: Bool { data.pointee.liveCount.load(ordering: .relaxed) > 0 }

  var observers: [GRunLoop.Observer] { data.pointee.observers }
  /// What the observers want to be told of, all together.
  var activities: GRunLoop.Activities { data.pointee.activities }

  var timers: TimerHeap {
    _read { yield data.pointee.timers }
    nonmutating _modify { yield &data.pointee.timers }
  }

  var performs: PerformQueue {
    _read { yield data.pointee.performs }
    nonmutating _modify { yield &data.pointee.performs }
  }

  var descriptors: DescriptorSet? { data.pointee.descriptors }

  /// The context of a private mode, once something asked for it.
  var binding: ContextBinding? {
    get { data.pointee.binding }
    nonmutating set { data.pointee.binding = newValue }
  }

  func descriptorSet(of loop: GRunLoop) -> Result<DescriptorSet, SystemFailure> {
    if let descriptors { return .success(descriptors) }
    let made = DescriptorSet.make(
      in: loop.waitSet, tag: mode == .common ? WaitSet.Tag.common : WaitSet.Tag.mode)
    if case .success(let set) = made {
      data.pointee.descriptors = set
      set.attach(loop.scope.includes(self))
    }
    return made
  }

  func append(_ item: GRunLoop.Item) {
    item.slots.add(self)
    item.slots[self].listIndex = Int32(items.count)
    items.append(item)
    if item.keepsModeAlive { data.pointee.liveCount.wrappingAdd(1, ordering: .relaxed) }
  }

  func remove(_ item: GRunLoop.Item) {
    let index = Int(item.slots[self].listIndex)
    item.slots.remove(self)
    if item.keepsModeAlive { data.pointee.liveCount.wrappingSubtract(1, ordering: .relaxed) }
    let last = items.removeLast()
    if index < items.count {
      items[index] = last
      last.slots[self].listIndex = Int32(index)
    }
    // Arrays never shrink by themselves; a burst of a million items must leave no trace.
    if items.isEmpty && items.capacity > 1024 { items = [] }
  }

  func insert(_ observer: GRunLoop.Observer) {
    let index = observers.firstIndex { ($0.order, $0.sequence) > (observer.order, observer.sequence) }
    data.pointee.observers.insert(observer, at: index ?? observers.endIndex)
    data.pointee.activities.formUnion(observer.activities)
  }

  func remove(_ observer: GRunLoop.Observer) {
    data.pointee.observers.removeAll { $0 === observer }
    data.pointee.activities = observers.reduce(into: []) { $0.formUnion($1.activities) }
  }

  func withHeap<Result>(on timebase: GRunLoop.Timebase, _ body: (inout TimerHeap) -> Result) -> Result {
    timebase == .monotonic ? body(&data.pointee.timers) : data.pointee.otherTimers.with(timebase, body)
  }

  // MARK: Performs

  final class Lane {
    @exclusivity(unchecked) var queue = PerformQueue()
  }

  func lane(_ priority: GRunLoop.Priority) -> Lane {
    if let lane = data.pointee.lanes[priority] { return lane }
    let lane = Lane()
    data.pointee.lanes[priority] = lane
    return lane
  }

  var hasPerforms: Bool { !performs.isEmpty || hasLaneWork }

  var hasLaneWork: Bool { !data.pointee.lanes.isEmpty && data.pointee.lanes.values.contains { !$0.queue.isEmpty } }

  @inline(__always)
  func queueIsEmpty(_ priority: GRunLoop.Priority) -> Bool {
    priority == .default ? performs.isEmpty : data.pointee.lanes[priority]?.queue.isEmpty ?? true
  }

  @inline(__always)
  func takeAll(_ priority: GRunLoop.Priority, leaving empty: inout PerformBuffer) {
    if priority == .default {
      performs.takeAll(leaving: &empty)
    } else {
      data.pointee.lanes[priority]?.queue.takeAll(leaving: &empty)
    }
  }

  func takeAllPerforms() -> [PerformEntry] {
    var all: [PerformEntry] = []
    for priority in [.default] + data.pointee.lanes.keys {
      var taken = PerformBuffer()
      takeAll(priority, leaving: &taken)
      while !taken.isEmpty { all.append(taken.removeFirst()) }
    }
    return all
  }

  func cancelPerform(_ sequence: UInt64) -> PerformEntry? {
    var found = performs.cancel(sequence)
    for lane in data.pointee.lanes.values { found = lane.queue.cancel(sequence) ?? found }
    return found
  }

  // MARK: Signalled sources

  var hasSignalled: Bool { !data.pointee.signalled.isEmpty && data.pointee.signalled.contains { $0.isReady } }

  /// Puts a source on the list of the signalled ones, where it stays until a pass finds it without a signal.
  func list(_ source: GRunLoop.Source) {
    guard !source.slots[self].isListed else { return }
    source.slots[self].isListed = true
    data.pointee.signalled.append(source)
  }

  func unlist(_ source: GRunLoop.Source) {
    guard source.slots[self].isListed else { return }
    source.slots[self].isListed = false
    data.pointee.signalled.removeAll { $0 === source }
  }

  /// Appends the signalled sources, and takes the others off the list.
  func appendSignals(to signals: inout [Signal]) {
    if data.pointee.signalled.isEmpty { return }
    data.pointee.signalled.removeAll { source in
      if source.isReady { return false }
      source.slots[self].isListed = false
      return true
    }
    for source in data.pointee.signalled { signals.append(Signal(source: source, sequence: source.signalled!)) }
  }
}

/// The heaps of the two clocks that are seldom used.
struct OtherTimers: ~Copyable {
  private var continuous = TimerHeap()
  private var wall = TimerHeap()

  mutating func with<Result>(_ timebase: GRunLoop.Timebase, _ body: (inout TimerHeap) -> Result) -> Result {
    timebase == .wall ? body(&wall) : body(&continuous)
  }
}

/// The modes whose items fire now: the running one and, if it is in the common set, that set.
///
/// Modes live as long as their loop, so that a scope need not hold them.
struct Scope {
  let state: ModeState
  let common: ModeState?

  @inline(__always)
  func includes(_ other: ModeState) -> Bool { other == state || other == common }

  @inline(__always)
  func forEach(_ body: (ModeState) -> Void) {
    body(state)
    if let common { body(common) }
  }

  @inline(__always)
  func contains(where predicate: (ModeState) -> Bool) -> Bool {
    if predicate(state) { return true }
    if let common { return predicate(common) }
    return false
  }
}
