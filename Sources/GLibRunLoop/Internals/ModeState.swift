import Synchronization

/// Everything that a loop knows of one mode; the common set is one more of these. Guarded by the loop's lock.
///
/// A name for a place in memory that lives as long as the loop. It is no class because the loop looks at its modes some
/// ten times a pass: each look at an object is counted twice, which made half of the time of a busy loop's pass.
struct ModeState: Hashable {
  private struct Data: ~Copyable {
    var items = ItemTable()
    // It does not change, and is read without the lock. Not the first field: the thread sanitizer takes a change of any
    // for one of that.
    let mode: GRunLoop.Mode
    let tag: UInt64
    var isCommon = false
    let liveCount = Atomic<Int>(0)
    var observers: [GRunLoop.Observer] = []
    var activities: GRunLoop.Activities = []
    var signalled = Vector<Unmanaged<GRunLoop.Source>>()
    var timers = TimerHeap()
    var otherTimers = OtherTimers()
    /// The performs of the default priority that wait.
    var waiting = PerformQueue()
    /// Those that a pass has taken and not come to: for the loop's thread, without the lock. They stay in their mode, so
    /// that a run inside of one of them goes on with the next, at no cost, if its mode allows. In memory of their own,
    /// since a change of any field here counts as one of the whole.
    let taken = UnsafeMutablePointer<PerformQueue>.allocate(capacity: 1)
    var lanes: [GRunLoop.Priority: Lane] = [:]
    var descriptors: DescriptorSet?
    var binding: ContextBinding?

    init(mode: GRunLoop.Mode, tag: UInt64) {
      (self.mode, self.tag) = (mode, tag)
      taken.initialize(to: PerformQueue())
    }

    deinit {
      taken.deinitialize(count: 1)
      taken.deallocate()
    }
  }

  private let data: UnsafeMutablePointer<Data>

  init(mode: GRunLoop.Mode) {
    data = .allocate(capacity: 1)
    let tag = mode == .common ? WaitSet.Tag.common : UInt64(UInt(bitPattern: data))
    data.initialize(to: Data(mode: mode, tag: tag))
  }

  /// Called by the loop that made it, when that goes.
  func free() {
    data.deinitialize(count: 1)
    data.deallocate()
  }

  var mode: GRunLoop.Mode { data.pointee.mode }

  /// Whether it is one of the common set.
  var isCommon: Bool {
    get { data.pointee.isCommon }
    nonmutating set { data.pointee.isCommon = newValue }
  }

  /// By which the wait set tells one mode's descriptors from another's: no small number is a place in memory.
  var tag: UInt64 { data.pointee.tag }

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

  var waiting: PerformQueue {
    _read { yield data.pointee.waiting }
    nonmutating _modify { yield &data.pointee.waiting }
  }

  var taken: PerformQueue {
    _read { yield takenPlace.pointee }
    nonmutating _modify { yield &takenPlace.pointee }
  }

  /// Read by itself: in the same expression with what it leads to, it would count as a change of the whole.
  private var takenPlace: UnsafeMutablePointer<PerformQueue> { data.pointee.taken }

  var descriptors: DescriptorSet? { data.pointee.descriptors }

  /// The context of a private mode, once something asked for it.
  var binding: ContextBinding? {
    get { data.pointee.binding }
    nonmutating set { data.pointee.binding = newValue }
  }

  func descriptorSet(of loop: GRunLoop) -> DescriptorSet {
    if let descriptors { return descriptors }
    let set = DescriptorSet(
      waitSet: loop.waitSet, tag: tag,
      report: { [unowned loop] in loop.diagnoseLater($0) })
    data.pointee.descriptors = set
    set.attach(loop.scope.includes(self))
    return set
  }

  /// The mode watches no descriptor any more.
  func dropDescriptors() {
    data.pointee.descriptors?.close()
    data.pointee.descriptors = nil
  }

  // MARK: Items

  var itemCount: Int { data.pointee.items.count }
  /// In no order.
  var items: [GRunLoop.Item] { data.pointee.items.all }

  func insert(_ item: GRunLoop.Item) {
    item.slots.add(Slot(state: self, place: data.pointee.items.insert(item)))
    if item.keepsModeAlive { data.pointee.liveCount.wrappingAdd(1, ordering: .relaxed) }
  }

  /// The caller holds the item.
  func remove(_ item: GRunLoop.Item) {
    let place = item.slots[self].place
    item.slots.remove(self)
    if item.keepsModeAlive { data.pointee.liveCount.wrappingSubtract(1, ordering: .relaxed) }
    data.pointee.items.remove(at: place)
  }

  func enlist(_ observer: GRunLoop.Observer) {
    let index = observers.firstIndex { ($0.order, $0.sequence) > (observer.order, observer.sequence) }
    data.pointee.observers.insert(observer, at: index ?? observers.endIndex)
    data.pointee.activities.formUnion(observer.activities)
  }

  func delist(_ observer: GRunLoop.Observer) {
    data.pointee.observers.removeAll { $0 === observer }
    data.pointee.activities = observers.reduce(into: []) { $0.formUnion($1.activities) }
  }

  func withHeap<Result>(on timebase: GRunLoop.Timebase, _ body: (inout TimerHeap) -> Result) -> Result {
    timebase == .monotonic ? body(&data.pointee.timers) : data.pointee.otherTimers.with(timebase, body)
  }

  // MARK: Performs

  /// The performs of one priority that is not the default.
  final class Lane {
    @exclusivity(unchecked) var waiting = PerformQueue()
    /// For the loop's thread.
    @exclusivity(unchecked) var taken = PerformQueue()
  }

  private func lane(_ priority: GRunLoop.Priority) -> Lane {
    if let lane = data.pointee.lanes[priority] { return lane }
    let lane = Lane()
    data.pointee.lanes[priority] = lane
    return lane
  }

  @inline(__always)
  func withWaiting<Result: ~Copyable>(_ priority: GRunLoop.Priority, _ body: (inout PerformQueue) -> Result) -> Result {
    priority == .default ? body(&data.pointee.waiting) : body(&lane(priority).waiting)
  }

  @inline(__always)
  func withTaken<Result: ~Copyable>(_ priority: GRunLoop.Priority, _ body: (inout PerformQueue) -> Result) -> Result {
    priority == .default ? body(&takenPlace.pointee) : body(&lane(priority).taken)
  }

  func append(
    _ work: consuming PerformEntry.Work, _ sequence: UInt64, at priority: GRunLoop.Priority, isPlain: Bool
  ) {
    if priority == .default {
      data.pointee.waiting.append(work, sequence)
      if !isPlain { data.pointee.waiting.isPlain = false }
    } else {
      let lane = lane(priority)
      lane.waiting.append(work, sequence)
      if !isPlain { lane.waiting.isPlain = false }
    }
  }

  /// On the loop's thread: takes all that waits. Returns from which to which number, if any.
  func take(_ priority: GRunLoop.Priority) -> ClosedRange<UInt64>? {
    if priority == .default { return PerformQueue.take(from: &data.pointee.waiting, to: &takenPlace.pointee) }
    let lane = lane(priority)
    return PerformQueue.take(from: &lane.waiting, to: &lane.taken)
  }

  /// How many wait, at whatever priority.
  var performCount: Int { data.pointee.lanes.values.reduce(waiting.waiting) { $0 + $1.waiting.waiting } }

  var hasPerforms: Bool { !waiting.isEmpty || hasLaneWork }

  var hasLaneWork: Bool { !data.pointee.lanes.isEmpty && data.pointee.lanes.values.contains { !$0.waiting.isEmpty } }

  /// On the loop's thread, or while it sleeps: whether a pass has taken performs and not come to them.
  var hasTaken: Bool { taken.count > 0 || data.pointee.lanes.values.contains { $0.taken.count > 0 } }

  /// On the loop's thread.
  func hasTaken(at priority: GRunLoop.Priority) -> Bool {
    if priority == .default { return taken.count > 0 }
    return data.pointee.lanes[priority].map { $0.taken.count > 0 } ?? false
  }

  /// On the loop's thread: whether there is anything to run.
  func hasPerforms(at priority: GRunLoop.Priority) -> Bool {
    if priority == .default { return !waiting.isEmpty || taken.count > 0 }
    return data.pointee.lanes[priority].map { !$0.waiting.isEmpty || $0.taken.count > 0 } ?? false
  }

  var priorities: [GRunLoop.Priority] { [.default] + data.pointee.lanes.keys }

  /// Takes a perform out that waits, wherever in the mode.
  func cancelPerform(_ sequence: UInt64) -> PerformDetails? {
    if let details = data.pointee.waiting.cancel(sequence)?.details { return details }
    for lane in data.pointee.lanes.values {
      if let details = lane.waiting.cancel(sequence)?.details { return details }
    }
    return nil
  }

  // MARK: Signalled sources

  var hasSignalled: Bool {
    for index in 0..<data.pointee.signalled.count
    where data.pointee.signalled[index]._withUnsafeGuaranteedRef({ $0.isReady }) {
      return true
    }
    return false
  }

  /// How many sources wait for their turn.
  var signalCount: Int {
    (0..<data.pointee.signalled.count).count { data.pointee.signalled[$0]._withUnsafeGuaranteedRef { $0.isReady } }
  }

  /// Puts a source on the list of the signalled ones, where it stays until a pass finds it without a signal.
  func list(_ source: GRunLoop.Source) {
    guard !source.slots[self].isListed else { return }
    source.slots[self].isListed = true
    data.pointee.signalled.append(.passUnretained(source))
  }

  func unlist(_ source: GRunLoop.Source) {
    guard source.slots[self].isListed else { return }
    source.slots[self].isListed = false
    data.pointee.signalled.keep { $0.toOpaque() != Unmanaged.passUnretained(source).toOpaque() }
  }

  /// Appends the signalled sources, retained, and takes the others off the list.
  func appendSignals(to signals: inout Vector<Signal>) {
    if data.pointee.signalled.isEmpty { return }
    data.pointee.signalled.keep { source in
      source._withUnsafeGuaranteedRef {
        guard $0.isReady else {
          $0.slots[self].isListed = false
          return false
        }
        signals.append(Signal(source: source.retain(), sequence: $0.signalled.unsafelyUnwrapped, order: $0.order))
        return true
      }
    }
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
