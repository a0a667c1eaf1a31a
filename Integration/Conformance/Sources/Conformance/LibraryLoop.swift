import CGLib
import GLibRunLoop

/// This library's loop.
final class LibraryLoop: Loop {
  private let stage: Stage
  private let thread: VirtualThread
  private let loop = GRunLoop.current
  private var items: [GRunLoop.Item?] = []

  /// Who runs the outermost run.
  enum Driver { case swift, glib }

  private let driver: Driver
  private var mainLoop: OpaquePointer?

  /// The scenario's thread runs the loop as the scenario says.
  static func play(_ scenario: Scenario) -> [String] { play(Stage(scenario), .swift) { $0.stage.play() } }

  /// The scenario's steps are done from within a run in the default mode, which one of the two drives.
  static func play(_ scenario: Scenario, drivenBy driver: Driver) -> [String] {
    play(Stage(scenario, isDriven: true), driver) { loop in
      // Something to wait for: GLib does not ask whether there is.
      let anchor = GRunLoop.Source { _ in }
      loop.loop.add(anchor, forMode: .default)
      let stage = loop.stage
      loop.loop.perform(inModes: [.default]) { stage.play() }
      switch driver {
      case .swift: loop.loop.run()
      case .glib:
        loop.mainLoop = g_main_loop_new(loop.loop.context, 0)
        g_main_loop_run(loop.mainLoop)
        g_main_loop_unref(loop.mainLoop)
      }
      anchor.invalidate()
    }
  }

  private static func play(_ stage: Stage, _ driver: Driver, _ body: @escaping (LibraryLoop) -> Void) -> [String] {
    let thread = VirtualThread(stage)
    thread.run {
      let loop = LibraryLoop(stage, thread, driver)
      thread.makeIdle = { [unowned loop] in loop.stop() }
      stage.loop = loop
      body(loop)
      loop.tearDown()
    }
    return stage.trace
  }

  private init(_ stage: Stage, _ thread: VirtualThread, _ driver: Driver) {
    self.driver = driver
    self.stage = stage
    self.thread = thread
    items = stage.scenario.items.indices.map(make)
  }

  private func make(_ item: Int) -> GRunLoop.Item? {
    switch stage.scenario.items[item].kind {
    case .source(let order):
      GRunLoop.Source(order: order, sendableHandler: { [stage] _ in stage.called(item) })
    case .timer(let slot, let interval, let order):
      GRunLoop.Timer(
        fireDate: Self.date(Moment.timer(slot)),
        interval: .nanoseconds(Int64((interval ?? 0) * Moment.slot) * Moment.nanoseconds), repeats: interval != nil,
        order: order, sendableHandler: { [stage] _ in stage.called(item) })
    case .observer(let activities, let order, let repeats):
      GRunLoop.Observer(
        activities: GRunLoop.Activities(rawValue: activities.rawValue), repeats: repeats, order: order,
        sendableHandler: { [stage] _, activity in stage.called(item, Activities(rawValue: activity.rawValue)) })
    case .perform: nil
    }
  }

  private static func date(_ moment: Int) -> GRunLoop.Instant {
    GRunLoop.Instant(nanoseconds: VirtualThread.moment(moment))
  }

  private func tearDown() { for item in items { item?.invalidate() } }

  // MARK: Loop

  var now: Int { thread.now }
  var currentMode: Mode? { loop.currentMode.flatMap { mode in Mode.allCases.first { Self.name($0) == mode } } }
  func add(_ item: Int, _ mode: Mode) { items[item].map { _ = loop.add($0, forMode: Self.name(mode)) } }
  func remove(_ item: Int, _ mode: Mode) { items[item].map { loop.remove($0, forMode: Self.name(mode)) } }
  func invalidate(_ item: Int) { items[item]?.invalidate() }
  func signal(_ item: Int) { (items[item] as? GRunLoop.Source)?.signal() }

  func perform(_ item: Int) {
    guard case .perform(let modes) = stage.scenario.items[item].kind else { return }
    loop.perform(inModes: modes.map(Self.name)) { [stage] in stage.called(item) }
  }

  func move(_ item: Int, to moment: Int) { (items[item] as? GRunLoop.Timer)?.fireDate = Self.date(moment) }
  func join(_ mode: Mode) { loop.addCommonMode(Self.name(mode)) }
  func wakeUp() { loop.wakeUp() }

  func stop() {
    if driver == .glib && stage.depth == 0 { g_main_loop_quit(mainLoop) } else { loop.stop() }
  }

  func busy(until moment: Int) { thread.advance(to: moment) }
  func fromOutside(_ body: @escaping () -> Void) { thread.thread(body) }

  func run(_ mode: Mode, until limit: Limit, returnsAfterSource: Bool) -> Outcome {
    let duration: Duration
    switch limit {
    case .zero: duration = .zero
    case .slot(let slot): duration = .nanoseconds(Int64(Moment.limit(slot) - now) * Moment.nanoseconds)
    case .never: duration = .seconds(Int64.max)
    }
    let outcome = loop.run(mode: Self.name(mode), for: duration, returnAfterSourceHandled: returnsAfterSource)
    return Outcome(rawValue: Int(outcome.rawValue))!
  }

  private static func name(_ mode: Mode) -> GRunLoop.Mode {
    switch mode {
    case .main: .default
    case .common: .common
    case .a, .b: GRunLoop.Mode("\(mode)")
    case .tracking: .eventTracking
    }
  }
}
