/// Everything that a loop knows of one mode; the common set is one more of these. Guarded by the loop's lock.
final class ModeState {
  let mode: GRunLoop.Mode
  @exclusivity(unchecked) var items: [GRunLoop.Item] = []
  private var places: [Membership] = []
  /// How many of the items keep the mode alive.
  @exclusivity(unchecked) private(set) var liveCount = 0
  @exclusivity(unchecked) var observers: [GRunLoop.Observer] = []
  @exclusivity(unchecked) var signalled: [Signal] = []
  @exclusivity(unchecked) var heaps = Heaps()
  @exclusivity(unchecked) var performs = PerformQueue()
  /// Performs and turns of other priorities than the default.
  @exclusivity(unchecked) var lanes: [GRunLoop.Priority: PerformQueue] = [:]
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

  func append(_ membership: Membership) {
    membership.listIndex = items.count
    items.append(membership.item)
    places.append(membership)
    if membership.item.keepsModeAlive { liveCount += 1 }
  }

  func remove(_ membership: Membership) {
    let index = membership.listIndex
    if membership.item.keepsModeAlive { liveCount -= 1 }
    items.swapAt(index, items.count - 1)
    places.swapAt(index, places.count - 1)
    places[index].listIndex = index
    items.removeLast()
    places.removeLast()
    // Arrays never shrink by themselves; a burst of a million items must leave no trace.
    if items.isEmpty {
      items = []
      places = []
    }
  }

  func insert(_ observer: GRunLoop.Observer) {
    let index = observers.firstIndex { ($0.order, $0.sequence) > (observer.order, observer.sequence) }
    observers.insert(observer, at: index ?? observers.endIndex)
  }

  var activities: GRunLoop.Activities { observers.reduce(into: []) { $0.formUnion($1.activities) } }

  var hasPerforms: Bool { !performs.isEmpty || lanes.values.contains { !$0.isEmpty } }

  var hasLaneWork: Bool { lanes.values.contains { !$0.isEmpty } }

  var hasSignalled: Bool { signalled.contains { $0.source.signalled == $0.sequence && $0.source.isValid } }

  /// Takes the stale entries out of the list of signalled sources and returns the others.
  func currentSignals() -> [Signal] {
    if signalled.isEmpty { return [] }
    signalled.removeAll { $0.source.signalled != $0.sequence || !$0.source.isValid }
    return signalled
  }
}

/// One timer heap for each clock.
struct Heaps: ~Copyable {
  private var monotonic = TimerHeap()
  private var continuous = TimerHeap()
  private var wall = TimerHeap()

  subscript(timebase: GRunLoop.Timebase) -> TimerHeap {
    _read {
      switch timebase {
      case .monotonic: yield monotonic
      case .continuous: yield continuous
      case .wall: yield wall
      }
    }
    _modify {
      switch timebase {
      case .monotonic: yield &monotonic
      case .continuous: yield &continuous
      case .wall: yield &wall
      }
    }
  }
}

/// The modes whose items fire now: the running one and, if it is in the common set, that set.
struct Scope {
  let state: ModeState
  let common: ModeState?

  func includes(_ other: ModeState) -> Bool { other === state || other === common }

  @inline(__always)
  func forEach(_ body: (ModeState) -> Void) {
    body(state)
    if let common { body(common) }
  }

  @inline(__always)
  func contains(where predicate: (ModeState) -> Bool) -> Bool {
    predicate(state) || (common.map(predicate) ?? false)
  }
}
