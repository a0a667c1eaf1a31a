import CoreFoundation
import Foundation

/// The run loop of the toolchain's own Foundation.
///
/// It wants two forms for what is one call here: whoever signals a source or queues a block must wake the loop, too.
final class CoreFoundationLoop: Loop {
  private let stage: Stage
  private let thread: VirtualThread
  private let loop = CFRunLoopGetCurrent()!
  private var handles: [Handle] = []
  private var limits: [Int?] = []
  private let wakes: Bool

  private enum Object {
    case source(CFRunLoopSource)
    case timer(CFRunLoopTimer)
    case observer(CFRunLoopObserver)
    /// A closure has none.
    case none
  }

  /// What a call-back is told.
  private final class Handle {
    let item: Int
    let stage: Stage
    var object = Object.none

    init(_ item: Int, _ stage: Stage) {
      self.item = item
      self.stage = stage
    }

    static func of(_ info: UnsafeMutableRawPointer?) -> Handle { Unmanaged.fromOpaque(info!).takeUnretainedValue() }
  }

  /// - Parameter wakes: Whether a signal and a queued block come with a wake-up.
  static func play(_ scenario: Scenario, wakes: Bool = true) -> [String] {
    let stage = Stage(scenario)
    let thread = VirtualThread(stage)
    thread.run {
      let loop = CoreFoundationLoop(stage, thread, wakes)
      stage.loop = loop
      stage.play()
      loop.tearDown()
    }
    return stage.trace
  }

  private init(_ stage: Stage, _ thread: VirtualThread, _ wakes: Bool) {
    self.wakes = wakes
    self.stage = stage
    self.thread = thread
    thread.limitComes = { [unowned self] moment in
      guard let limit = limits.last ?? nil, limit <= moment else { return false }
      limits[limits.count - 1] = nil
      thread.advance(to: limit + Moment.lateness)
      CFRunLoopWakeUp(loop)
      return true
    }
    thread.makeIdle = { [unowned self] in CFRunLoopStop(loop) }
    handles = stage.scenario.items.indices.map { Handle($0, stage) }
    for handle in handles { handle.object = make(handle) }
  }

  private func make(_ handle: Handle) -> Object {
    let info = Unmanaged.passUnretained(handle).toOpaque()
    switch stage.scenario.items[handle.item].kind {
    case .source(let order):
      var context = CFRunLoopSourceContext()
      context.info = info
      context.perform = {
        let handle = Handle.of($0)
        handle.stage.called(handle.item)
      }
      return .source(CFRunLoopSourceCreate(nil, order, &context))
    case .timer(let slot, let interval, let order):
      var context = CFRunLoopTimerContext()
      context.info = info
      let seconds = interval.map { Double($0 * Moment.slot) / 64 } ?? 0
      let timer = CFRunLoopTimerCreate(
        nil, Self.date(Moment.timer(slot)), seconds, 0, order,
        {
          let handle = Handle.of($1)
          handle.stage.called(handle.item)
        }, &context)!
      return .timer(timer)
    case .observer(let activities, let order, let repeats):
      var context = CFRunLoopObserverContext()
      context.info = info
      let observer = CFRunLoopObserverCreate(
        nil, CFOptionFlags(activities.rawValue), repeats, order,
        {
          let handle = Handle.of($2)
          handle.stage.called(handle.item, Activities(rawValue: UInt($1.rawValue)))
        }, &context)!
      return .observer(observer)
    case .perform: return .none
    }
  }

  /// Half a nanosecond more than the moment is, since Core Foundation cuts off what is left of a nanosecond.
  private static func date(_ moment: Int) -> CFAbsoluteTime { start + Double(moment) / 64 + 0x1p-31 }

  /// The virtual clock's beginning.
  private static let start: CFAbsoluteTime = 1000

  private func tearDown() {
    for handle in handles.indices { invalidate(handle) }
  }

  // MARK: Loop

  var now: Int { thread.now }

  var currentMode: Mode? {
    guard let name = CFRunLoopCopyCurrentMode(loop) else { return nil }
    return Mode.allCases.first { CFEqual(Self.name($0), name) }
  }

  func add(_ item: Int, _ mode: Mode) {
    let mode = Self.name(mode)
    switch handles[item].object {
    case .source(let source): CFRunLoopAddSource(loop, source, mode)
    case .timer(let timer): CFRunLoopAddTimer(loop, timer, mode)
    case .observer(let observer): CFRunLoopAddObserver(loop, observer, mode)
    case .none: break
    }
  }

  func remove(_ item: Int, _ mode: Mode) {
    let mode = Self.name(mode)
    switch handles[item].object {
    case .source(let source): CFRunLoopRemoveSource(loop, source, mode)
    case .timer(let timer): CFRunLoopRemoveTimer(loop, timer, mode)
    case .observer(let observer): CFRunLoopRemoveObserver(loop, observer, mode)
    case .none: break
    }
  }

  func invalidate(_ item: Int) {
    switch handles[item].object {
    case .source(let source): CFRunLoopSourceInvalidate(source)
    case .timer(let timer): CFRunLoopTimerInvalidate(timer)
    case .observer(let observer): CFRunLoopObserverInvalidate(observer)
    case .none: break
    }
  }

  func signal(_ item: Int) {
    guard case .source(let source) = handles[item].object else { return }
    CFRunLoopSourceSignal(source)
    if wakes { CFRunLoopWakeUp(loop) }
  }

  func perform(_ item: Int) {
    guard case .perform(let modes) = stage.scenario.items[item].kind else { return }
    let names = modes.map { Self.name($0) as CFTypeRef }
    let array = CFArrayCreateMutable(nil, 0, Self.arrayCallBacks)!
    for name in names { CFArrayAppendValue(array, Unmanaged.passUnretained(name).toOpaque()) }
    CFRunLoopPerformBlock(loop, array) { [stage] in stage.called(item) }
    if wakes { CFRunLoopWakeUp(loop) }
  }

  func move(_ item: Int, to moment: Int) {
    if case .timer(let timer) = handles[item].object { CFRunLoopTimerSetNextFireDate(timer, Self.date(moment)) }
  }

  func join(_ mode: Mode) { CFRunLoopAddCommonMode(loop, Self.name(mode)) }
  func wakeUp() { CFRunLoopWakeUp(loop) }
  func stop() { CFRunLoopStop(loop) }
  func busy(until moment: Int) { thread.advance(to: moment) }
  func fromOutside(_ body: @escaping () -> Void) { thread.thread(body) }

  func run(_ mode: Mode, until limit: Limit, returnsAfterSource: Bool) -> Outcome {
    let seconds: CFTimeInterval
    switch limit {
    case .zero:
      seconds = 0
      limits.append(nil)
    case .slot(let slot):
      // A limit that has passed is none at all to Core Foundation, which then makes one pass; so it is here.
      let left = Moment.limit(slot) - now
      seconds = max(0, Double(left) / 64)
      limits.append(left > 0 ? Moment.limit(slot) : nil)
    case .never:
      seconds = 1e10
      limits.append(nil)
    }
    defer { limits.removeLast() }
    return Outcome(rawValue: Int(CFRunLoopRunInMode(Self.name(mode), seconds, returnsAfterSource).rawValue))!
  }

  private static func name(_ mode: Mode) -> CFString {
    switch mode {
    case .main: kCFRunLoopDefaultMode!
    case .common: kCFRunLoopCommonModes!
    case .a: nameOfA
    case .b: nameOfB
    case .tracking: nameOfTracking
    }
  }

  nonisolated(unsafe) private static let nameOfA = CFStringCreateWithCString(nil, "a", 0x0800_0100)!
  nonisolated(unsafe) private static let nameOfTracking =
    CFStringCreateWithCString(nil, "NSEventTrackingRunLoopMode", 0x0800_0100)!
  nonisolated(unsafe) private static let nameOfB = CFStringCreateWithCString(nil, "b", 0x0800_0100)!
  nonisolated(unsafe) private static let arrayCallBacks: UnsafePointer<CFArrayCallBacks> = {
    let callBacks = UnsafeMutablePointer<CFArrayCallBacks>.allocate(capacity: 1)
    callBacks.initialize(to: kCFTypeArrayCallBacks)
    return UnsafePointer(callBacks)
  }()
}
