/// Makes scenarios up.
struct Generator {
  private var random: Random
  private var items: [Item] = []
  private var sources: [Int] = []
  private var timers: [Int] = []
  private var observers: [Int] = []
  private var performs: [Int] = []
  /// A mode joins the common set late.
  private var joins = false
  private var commonTimer: Int?

  /// For a run that GLib may drive: nothing comes from outside that ends its sleep for nothing
  /// (DriverDifference.tellsOfEachWake).
  private let isDriven: Bool

  static func scenario(seed: UInt64, isDriven: Bool = false) -> Scenario {
    var generator = Generator(random: Random(seed: seed), isDriven: isDriven)
    return generator.make()
  }

  private init(random: Random, isDriven: Bool) {
    self.random = random
    self.isDriven = isDriven
  }

  private mutating func make() -> Scenario {
    joins = random.chance(1, of: 4)
    var orders = Array(0..<8)
    for _ in 0..<random.below(4) {
      sources.append(append(.source(order: random.below(3))))
    }
    for _ in 0..<random.below(4) {
      let repeats = random.chance(1, of: 3)
      timers.append(
        append(.timer(at: repeats ? 1 + random.below(8) : random.below(9), every: repeats ? 1 + random.below(5) : nil)))
    }
    for _ in 0..<random.below(4) {
      // Core Foundation gives those that are in the common set to a mode that joins in no order: so they need one.
      let order = joins ? orders.remove(at: random.below(orders.count)) : random.below(3)
      observers.append(append(.observer(of: activities(), order: order, repeats: random.chance(3, of: 4))))
    }
    for _ in 0..<random.below(4) {
      performs.append(append(.perform(random.pick([[.common], [.main], [.a], [.common, .a], [.a, .b]]))))
    }
    if items.isEmpty { sources.append(append(.source())) }
    for item in items.indices {
      // Core Foundation begins to count a run's time after its entry observers (Difference.limitBeginsAfterEntry).
      var mayTakeTime = true
      if case .observer(let activities, _, _) = items[item].kind { mayTakeTime = !activities.contains(.entry) }
      let count = random.below(3)
      for _ in 0..<count {
        items[item].calls.append(ops(1 + random.below(3), mayRun: mayTakeTime, mayBeBusy: mayTakeTime))
      }
    }
    var scenario = Scenario(items: items, steps: [])
    for item in items.indices where random.chance(4, of: 5) { scenario.steps += putIn(item) }
    for _ in 0...random.below(3) {
      scenario.steps += ops(random.below(4), mayRun: false)
      scenario.steps.append(run())
    }
    var slot = 0
    for _ in 0..<random.below(4) {
      slot += random.below(5)
      scenario.happenings.append(Happening(at: slot, ops(1 + random.below(2), isOutside: true)))
    }
    return scenario
  }

  private mutating func append(_ kind: Item.Kind) -> Int {
    items.append(Item(kind))
    return items.count - 1
  }

  private mutating func activities() -> Activities {
    if random.chance(1, of: 3) { return .all }
    let rawValue = random.next() & UInt64(Activities.all.rawValue)
    return rawValue == 0 ? .beforeSources : Activities(rawValue: UInt(rawValue))
  }

  /// What makes an item ready to fire some time.
  private mutating func putIn(_ item: Int) -> [Op] {
    if performs.contains(item) { return [.perform(item)] }
    var ops = [Op.add(item, mode(for: item))]
    if random.chance(1, of: 5) { ops.append(.add(item, mode(for: item))) }
    if sources.contains(item), random.chance(1, of: 2) { ops.append(.signal(item)) }
    return ops
  }

  private mutating func mode(for item: Int) -> Mode {
    let mode = random.pick([Mode.main, .main, .main, .common, .common, .a, .b])
    guard mode == .common, joins, timers.contains(item) else { return mode }
    // As with observers: no two timers of the same date may come to a mode at once.
    if commonTimer == nil { commonTimer = item }
    return commonTimer == item ? .common : .main
  }

  private mutating func run() -> Op {
    let limit: Limit = random.pick([.zero, .slot(random.below(16)), .slot(random.below(16)), .never])
    return .run(random.pick([.main, .main, .main, .a, .b]), until: limit, returnsAfterSource: random.chance(1, of: 3))
  }

  private mutating func ops(_ count: Int, mayRun: Bool = true, mayBeBusy: Bool = true, isOutside: Bool = false) -> [Op]
  {
    (0..<count).map { _ in
      while true {
        switch op() {
        case .run where !mayRun || isOutside: continue
        case .busy where !mayBeBusy || isOutside: continue
        case .add(let item, _) where isOutside && isDriven && timers.contains(item): continue
        case .remove where isOutside && isDriven, .invalidate where isOutside && isDriven,
          .move where isOutside && isDriven, .join where isOutside && isDriven:
          continue
        case let op: return op
        }
      }
    }
  }

  private mutating func op() -> Op {
    while true {
      switch random.below(16) {
      case 0, 1: if let item = random.pick(all) { return .add(item, mode(for: item)) }
      case 2: if let item = random.pick(all) { return .remove(item, mode(for: item)) }
      case 3: if let item = random.pick(all) { return .invalidate(item) }
      case 4, 5, 6: if let source = random.pick(optional(sources)) { return .signal(source) }
      case 7, 8: if let closure = random.pick(optional(performs)) { return .perform(closure) }
      case 9, 10: if let timer = random.pick(optional(timers)) { return .move(timer, to: random.below(16)) }
      case 11: return .wakeUp
      case 12: return .stop
      case 13: return run()
      case 14: return .busy(until: random.below(16))
      default: if joins { return .join(random.pick([.a, .b])) }
      }
    }
  }

  private var all: [Int?] { optional(sources + timers + observers) }
  private func optional(_ items: [Int]) -> [Int?] { items.isEmpty ? [nil] : items }
}
