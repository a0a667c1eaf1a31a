/// Makes a failing scenario small.
enum Shrinker {
  /// A scenario that still fails, of which nothing can be left out or made simpler without losing that.
  static func shrink(_ scenario: Scenario, while fails: (Scenario) -> Bool) -> Scenario {
    var smallest = scenario
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in candidates(smallest) where candidate != smallest && fails(candidate) {
        smallest = candidate
        isSmaller = true
        break
      }
    }
    return smallest
  }

  /// Scenarios that are a little smaller or simpler.
  private static func candidates(_ scenario: Scenario) -> [Scenario] {
    var found: [Scenario] = []
    func add(_ change: (inout Scenario) -> Void) {
      var copy = scenario
      change(&copy)
      found.append(copy)
    }
    for item in scenario.items.indices {
      if !scenario.uses(item) {
        found.append(scenario.without(item))
      } else {
        add { $0.removeUses(of: item) }
      }
    }
    for index in scenario.happenings.indices { add { $0.happenings.remove(at: index) } }
    for (place, ops) in scenario.lists {
      if ops.count > 2 { add { $0[place].removeFirst(ops.count / 2) } }
      if ops.count > 2 { add { $0[place].removeLast(ops.count / 2) } }
      for index in ops.indices {
        add { $0[place].remove(at: index) }
        for simpler in simpler(ops[index]) { add { $0[place][index] = simpler } }
      }
    }
    for item in scenario.items.indices {
      for call in scenario.items[item].calls.indices { add { $0.items[item].calls.remove(at: call) } }
      for kind in simpler(scenario.items[item].kind) { add { $0.items[item].kind = kind } }
    }
    return found
  }

  private static func simpler(_ op: Op) -> [Op] {
    switch op {
    case .run(let mode, let limit, let returns):
      (returns ? [.run(mode, until: limit)] : [])
        + (limit == .zero ? [] : [.run(mode, until: .zero, returnsAfterSource: returns)])
        + (limit == .never || limit == .zero ? [] : [.run(mode, until: .never, returnsAfterSource: returns)])
        + (mode == .main ? [] : [.run(.main, until: limit, returnsAfterSource: returns)])
    case .add(let item, let mode) where mode != .main: [.add(item, .main)]
    case .remove(let item, let mode) where mode != .main: [.remove(item, .main)]
    default: []
    }
  }

  private static func simpler(_ kind: Item.Kind) -> [Item.Kind] {
    switch kind {
    case .source(let order): order == 0 ? [] : [.source()]
    case .timer(let slot, let every, let order):
      (order == 0 ? [] : [.timer(at: slot, every: every)]) + (every == nil ? [] : [.timer(at: slot, order: order)])
        + (slot == 0 ? [] : [.timer(at: slot - 1, every: every, order: order)])
    case .observer(let activities, let order, let repeats):
      (order == 0 ? [] : [.observer(of: activities, repeats: repeats)])
        + (repeats ? [] : [.observer(of: activities, order: order)])
        + Activities.names.filter { activities.contains($0.0) && activities != $0.0 }
        .map { .observer(of: activities.subtracting($0.0), order: order, repeats: repeats) }
    case .perform(let modes):
      modes == [.main] ? [] : [.perform([.main])] + (modes.count > 1 ? modes.map { .perform([$0]) } : [])
    }
  }
}

extension Scenario {
  /// Where a list of steps stands.
  enum Place {
    case steps
    case call(Int, Int)
    case happening(Int)
  }

  subscript(place: Place) -> [Op] {
    get {
      switch place {
      case .steps: steps
      case .call(let item, let call): items[item].calls[call]
      case .happening(let index): happenings[index].ops
      }
    }
    set {
      switch place {
      case .steps: steps = newValue
      case .call(let item, let call): items[item].calls[call] = newValue
      case .happening(let index): happenings[index].ops = newValue
      }
    }
  }

  var places: [Place] {
    [.steps] + items.indices.flatMap { item in items[item].calls.indices.map { .call(item, $0) } }
      + happenings.indices.map { .happening($0) }
  }

  var lists: [(Place, [Op])] { places.map { ($0, self[$0]) } }

  func uses(_ item: Int) -> Bool { lists.contains { $0.1.contains { $0.item == item } } }

  mutating func removeUses(of item: Int) {
    for place in places { self[place].removeAll { $0.item == item } }
  }

  /// Without an item that nothing uses; those that follow move up.
  func without(_ item: Int) -> Scenario {
    var copy = self
    for place in places { copy[place] = self[place].map { $0.renumbered { $0 > item ? $0 - 1 : $0 } } }
    copy.items.remove(at: item)
    return copy
  }
}

extension Op {
  /// The item that it is about.
  var item: Int? {
    switch self {
    case .add(let item, _), .remove(let item, _), .invalidate(let item), .signal(let item), .perform(let item),
      .move(let item, _):
      item
    case .join, .wakeUp, .stop, .run, .busy: nil
    }
  }

  func renumbered(_ number: (Int) -> Int) -> Op {
    switch self {
    case .add(let item, let mode): .add(number(item), mode)
    case .remove(let item, let mode): .remove(number(item), mode)
    case .invalidate(let item): .invalidate(number(item))
    case .signal(let item): .signal(number(item))
    case .perform(let item): .perform(number(item))
    case .move(let item, let slot): .move(number(item), to: slot)
    case .join, .wakeUp, .stop, .run, .busy: self
    }
  }
}
