import Synchronization

/// Everything that a loop knows of one mode; the common set is one more of these. Guarded by the loop's lock.
final class ModeState {
  let mode: GRunLoop.Mode
  @exclusivity(unchecked) private(set) var items: [GRunLoop.Item] = []
  /// How many of the items keep the mode alive. Changed under the lock; a relaxed look at it spares the loop's thread
  /// the lock while there are any.
  let liveCount = Atomic<Int>(0)
  @exclusivity(unchecked) private(set) var observers: [GRunLoop.Observer] = []
  /// What the observers want to be told of, all together.
  @exclusivity(unchecked) private(set) var activities: GRunLoop.Activities = []
  @exclusivity(unchecked) private var signalled: [GRunLoop.Source] = []
  @exclusivity(unchecked) var timers = TimerHeap()
  /// The timers on other clocks than the monotonic one.
  @exclusivity(unchecked) var otherTimers = OtherTimers()
  @exclusivity(unchecked) var performs = PerformQueue()
  /// Performs and turns of other priorities than the default.
  @exclusivity(unchecked) private var lanes: [GRunLoop.Priority: Lane] = [:]
  @exclusivity(unchecked) private(set) var descriptors: DescriptorSet?
  /// The context of a private mode, once something asked for it.
  @exclusivity(unchecked) var binding: ContextBinding?

  init(mode: GRunLoop.Mode) { self.mode = mode }

  func descriptorSet(of loop: GRunLoop) -> Result<DescriptorSet, SystemFailure> {
    if let descriptors { return .success(descriptors) }
    let made = DescriptorSet.make(
      in: loop.waitSet, tag: mode == .common ? WaitSet.Tag.common : WaitSet.Tag.mode)
    if case .success(let set) = made {
      descriptors = set
      set.attach(loop.scope.includes(self))
    }
    return made
  }

  func append(_ item: GRunLoop.Item) {
    item.slots.add(self)
    item.slots[self].listIndex = Int32(items.count)
    items.append(item)
    if item.keepsModeAlive { liveCount.wrappingAdd(1, ordering: .relaxed) }
  }

  func remove(_ item: GRunLoop.Item) {
    let index = Int(item.slots[self].listIndex)
    item.slots.remove(self)
    if item.keepsModeAlive { liveCount.wrappingSubtract(1, ordering: .relaxed) }
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
    observers.insert(observer, at: index ?? observers.endIndex)
    activities.formUnion(observer.activities)
  }

  func remove(_ observer: GRunLoop.Observer) {
    observers.removeAll { $0 === observer }
    activities = observers.reduce(into: []) { $0.formUnion($1.activities) }
  }

  func withHeap<Result>(on timebase: GRunLoop.Timebase, _ body: (inout TimerHeap) -> Result) -> Result {
    timebase == .monotonic ? body(&timers) : otherTimers.with(timebase, body)
  }

  // MARK: Performs

  final class Lane {
    @exclusivity(unchecked) var queue = PerformQueue()
  }

  func lane(_ priority: GRunLoop.Priority) -> Lane {
    if let lane = lanes[priority] { return lane }
    let lane = Lane()
    lanes[priority] = lane
    return lane
  }

  var hasPerforms: Bool { !performs.isEmpty || hasLaneWork }

  var hasLaneWork: Bool { !lanes.isEmpty && lanes.values.contains { !$0.queue.isEmpty } }

  @inline(__always)
  func queueIsEmpty(_ priority: GRunLoop.Priority) -> Bool {
    priority == .default ? performs.isEmpty : lanes[priority]?.queue.isEmpty ?? true
  }

  @inline(__always)
  func takeAll(_ priority: GRunLoop.Priority, leaving empty: inout PerformBuffer) {
    if priority == .default { performs.takeAll(leaving: &empty) } else { lanes[priority]?.queue.takeAll(leaving: &empty) }
  }

  func takeAllPerforms() -> [PerformEntry] {
    var all: [PerformEntry] = []
    for priority in [.default] + lanes.keys {
      var taken = PerformBuffer()
      takeAll(priority, leaving: &taken)
      while !taken.isEmpty { all.append(taken.removeFirst()) }
    }
    return all
  }

  func cancelPerform(_ sequence: UInt64) -> PerformEntry? {
    var found = performs.cancel(sequence)
    for lane in lanes.values { found = lane.queue.cancel(sequence) ?? found }
    return found
  }

  // MARK: Signalled sources

  var hasSignalled: Bool { !signalled.isEmpty && signalled.contains { $0.isReady } }

  /// Puts a source on the list of the signalled ones, where it stays until a pass finds it without a signal.
  func list(_ source: GRunLoop.Source) {
    guard !source.slots[self].isListed else { return }
    source.slots[self].isListed = true
    signalled.append(source)
  }

  func unlist(_ source: GRunLoop.Source) {
    guard source.slots[self].isListed else { return }
    source.slots[self].isListed = false
    signalled.removeAll { $0 === source }
  }

  /// Appends the signalled sources, and takes the others off the list.
  func appendSignals(to signals: inout [Signal]) {
    if signalled.isEmpty { return }
    signalled.removeAll { source in
      if source.isReady { return false }
      source.slots[self].isListed = false
      return true
    }
    for source in signalled { signals.append(Signal(source: source, sequence: source.signalled!)) }
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
  unowned(unsafe) let state: ModeState
  unowned(unsafe) let common: ModeState?

  @inline(__always)
  func includes(_ other: ModeState) -> Bool { other === state || other === common }

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
