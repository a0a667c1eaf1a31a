/// What a scenario is played on.
protocol Loop: AnyObject {
  /// In moments.
  var now: Int { get }
  var currentMode: Mode? { get }
  func add(_ item: Int, _ mode: Mode)
  func remove(_ item: Int, _ mode: Mode)
  func invalidate(_ item: Int)
  func signal(_ source: Int)
  func perform(_ closure: Int)
  func move(_ timer: Int, to moment: Int)
  func join(_ mode: Mode)
  func wakeUp()
  func stop()
  func run(_ mode: Mode, until limit: Limit, returnsAfterSource: Bool) -> Outcome
  func busy(until moment: Int)
  /// Runs a closure as another thread would, while this one sleeps.
  func fromOutside(_ body: @escaping () -> Void)
}

/// Plays one scenario on one loop and writes down what it sees.
final class Stage: @unchecked Sendable {
  // Used by one thread at a time: the loop's, or the one that the loop's waits for.
  let scenario: Scenario
  unowned var loop: (any Loop)!
  private(set) var trace: [String] = []
  private var callCounts: [Int]
  private(set) var nextHappening = 0
  private(set) var depth = 0
  /// Only nested runs are compared: the outermost one belongs to a driver, which a stop does not reach.
  let isDriven: Bool
  private(set) var isOver = false

  init(_ scenario: Scenario, isDriven: Bool = false) {
    self.scenario = scenario
    self.isDriven = isDriven
    callCounts = Array(repeating: 0, count: scenario.items.count)
  }

  func play() { perform(scenario.steps) }

  /// An item's call-back.
  func called(_ item: Int, _ remark: String = "") {
    if isOver { return loop.stop() }
    note(name(of: item) + (remark.isEmpty ? "" : " \(remark)") + " in \(loop.currentMode.map { "\($0)" } ?? "no mode")")
    let count = callCounts[item]
    callCounts[item] += 1
    if count < scenario.items[item].calls.count { perform(scenario.items[item].calls[count]) }
  }

  func called(_ item: Int, _ activity: Activities) {
    called(item, Activities.names.first { $0.0 == activity }?.1 ?? "\(activity.rawValue)")
  }

  private func note(_ line: String) {
    trace.append(line)
    if trace.count == 5_000 {
      trace.append("and so on, without end")
      isOver = true
    }
  }

  /// Nothing will ever happen, so that the innermost run is stopped.
  func idle() {
    if isOver { return }
    note("idle")
    if isDriven && depth == 0 { isOver = true }
  }

  /// When the next thing comes from outside, if that is no later than a moment.
  func happening(by moment: Int) -> Int? {
    guard nextHappening < scenario.happenings.count, !isOver else { return nil }
    let date = Moment.happening(scenario.happenings[nextHappening].slot)
    return date <= moment ? date : nil
  }

  func happen() {
    let ops = scenario.happenings[nextHappening].ops
    note("from outside")
    nextHappening += 1
    loop.fromOutside { self.perform(ops) }
  }

  private func perform(_ ops: [Op]) { for op in ops { perform(op) } }

  private func perform(_ op: Op) {
    switch op {
    case .add(let item, let mode): loop.add(item, mode)
    case .remove(let item, let mode): loop.remove(item, mode)
    case .invalidate(let item): loop.invalidate(item)
    case .signal(let source): loop.signal(source)
    case .perform(let closure): loop.perform(closure)
    case .move(let timer, let slot):
      // Core Foundation would begin a new phase now, at a moment that is nobody's (see Difference.pastIsNow).
      if case .timer(_, _?, _) = scenario.items[timer].kind, Moment.timer(slot) <= loop.now { return }
      loop.move(timer, to: Moment.timer(slot))
    case .join(let mode): loop.join(mode)
    case .wakeUp: loop.wakeUp()
    case .stop: if !isDriven || depth > 0 { loop.stop() }
    case .busy(let slot): loop.busy(until: Moment.busy(slot))
    case .run(let mode, let limit, let returnsAfterSource):
      note("run \(mode)")
      depth += 1
      let outcome = loop.run(mode, until: limit, returnsAfterSource: returnsAfterSource)
      depth -= 1
      note("\(outcome)")
    }
  }

  private func name(of item: Int) -> String {
    switch scenario.items[item].kind {
    case .source: "source \(item)"
    case .timer: "timer \(item)"
    case .observer: "observer \(item)"
    case .perform: "perform \(item)"
    }
  }
}
