/// The loop as the rules have it, in few lines and slowly: what the others are held against.
final class Model: Loop {
  struct Date: Comparable {
    var moment: Int
    /// Among dates that were cut off at the present one, which is never twice the same.
    var cut = 0

    static func < (left: Date, right: Date) -> Bool { (left.moment, left.cut) < (right.moment, right.cut) }
  }

  struct State {
    var isValid = true
    /// When it was signalled.
    var signalled: Int?
    var date = Date(moment: 0)
    var isFiring = false
    var wasMoved = false
  }

  final class Run {
    let mode: Mode
    let limit: Limit
    let returnsAfterSource: Bool
    var isStopped = false
    var handledSource = false
    var ignoresWakeUps = false
    var limitMoment: Int

    init(_ mode: Mode, _ limit: Limit, _ returnsAfterSource: Bool) {
      self.mode = mode
      self.limit = limit
      self.returnsAfterSource = returnsAfterSource
      limitMoment =
        switch limit {
        case .zero: .min
        case .slot(let slot): Moment.limit(slot)
        case .never: .max
        }
    }
  }

  struct Member {
    let item: Int
    let number: Int
  }

  struct Queued {
    let item: Int
    let number: Int
  }

  let stage: Stage
  let ways: Set<Difference>
  let driverWays: Set<DriverDifference>
  /// There is a run outside the scenario, and something that it waits for.
  var isDriven = false
  var now = Moment.start
  var states: [State]
  var members: [Mode: [Member]] = [.main: []]
  var commonModes: Set<Mode>
  var commonItems: [Int] = []
  var ranPrivately: Set<Mode> = []
  var wasAdded: Set<Int> = []
  var runs: [Run] = []
  var number = 0
  var isOutside = false

  // Performs.
  var queue: [Queued] = []
  var taken: [Queued] = []
  var passNumber = 0
  var heldUntil = 0

  // Sleeping.
  var wakeRequested = false
  var wokeForNothing = false
  var ports = ModelPorts()

  static func play(_ scenario: Scenario, _ ways: Set<Difference>) -> [String] {
    let stage = Stage(scenario)
    let model = Model(stage, ways)
    stage.loop = model
    stage.play()
    return stage.trace
  }

  /// The steps are done from within a run in the default mode that somebody drives.
  static func play(_ scenario: Scenario, drivenBy ways: Set<DriverDifference>) -> [String] {
    let stage = Stage(scenario, isDriven: true)
    let model = Model(stage, [], ways)
    stage.loop = model
    model.isDriven = true
    let run = Run(.main, .never, false)
    model.runs.append(run)
    model.passes(run) { stage.play() }
    return stage.trace
  }

  /// Passes until there is nothing more to do. The first does the scenario's steps in its performs.
  func passes(_ run: Run, _ steps: () -> Void) {
    passNumber += 1
    wakeRequested = false
    run.handledSource = true
    steps()
    if queue.contains(where: { isFor($0, run.mode) }) { heldUntil = passNumber + 1 }
    if fireSources(run) { runPerforms(run) }
    secondHalf(run)
    while !stage.isOver { _ = pass(run) }
  }

  init(_ stage: Stage, _ ways: Set<Difference>, _ driverWays: Set<DriverDifference> = []) {
    self.stage = stage
    self.ways = ways
    self.driverWays = driverWays
    commonModes = ways.contains(.commonIsMainOnly) ? [.main] : [.main, .tracking]
    states = stage.scenario.items.map { _ in State() }
    for item in states.indices {
      if case .timer(let slot, _, _) = kind(item) { states[item].date = date(Moment.timer(slot)) }
    }
    ports.create(.main)
  }

  func kind(_ item: Int) -> Item.Kind { stage.scenario.items[item].kind }
  func has(_ way: Difference) -> Bool { ways.contains(way) }
  func has(_ way: DriverDifference, _ run: Run) -> Bool {
    isDriven && runs.count == 1 && driverWays.contains(way)
  }

  func next() -> Int {
    number += 1
    return number
  }

  func date(_ moment: Int) -> Date {
    has(.pastIsNow) && moment < now ? Date(moment: now, cut: next()) : Date(moment: moment)
  }

  func order(_ item: Int) -> Int {
    switch kind(item) {
    case .source(let order): order
    case .timer(_, _, let order): order
    case .observer(_, let order, _): order
    case .perform: 0
    }
  }
}
