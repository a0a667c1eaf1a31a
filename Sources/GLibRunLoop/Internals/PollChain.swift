import CGLib
import CRunLoopShims

/// How a loop that GLib drives knows of real sleeps: a poll function before the context's own one, a source behind all
/// others that tells of the sleep, and one before all others that comes after it.
///
/// The two sources alone would make `while (g_main_context_pending (c)) g_main_context_iteration (c, FALSE)`
/// endless, and could not tell a poll from a sleep.
final class PollChain {
  private let context: OpaquePointer
  private let wakeSource: WakeSource
  private let announceSource: AnnounceSource
  /// The wait set's descriptor, by which a poll finds its context's own function.
  private let descriptor: CInt
  private let previous: PollFunction

  init(loop: GRunLoop, context: OpaquePointer) {
    self.context = context
    let descriptor = loop.waitSet.epoll
    let previous = g_main_context_get_poll_func(context) ?? g_poll
    if !Self.same(previous, g_poll) { Self.lock.withLock { Self.foreign[descriptor] = previous } }
    self.descriptor = descriptor
    self.previous = previous
    wakeSource = WakeSource(loop: loop, context: context)
    wakeSource.attach(to: context)
    announceSource = AnnounceSource(loop: loop)
    announceSource.attach(to: context)
    g_main_context_set_poll_func(context, chainedPoll)
  }

  /// - Parameter contextEnds: It destroys its sources itself, and answers no questions.
  func remove(contextEnds: Bool) {
    if !contextEnds {
      wakeSource.destroy()
      announceSource.destroy()
    }
    if !Self.same(previous, g_poll) { Self.lock.withLock { _ = Self.foreign.removeValue(forKey: descriptor) } }
    if !contextEnds, let current = g_main_context_get_poll_func(context), Self.same(current, chainedPoll) {
      g_main_context_set_poll_func(context, previous)
    }
    if Self.preparing != nil { Self.preparing = nil }
  }

  typealias PollFunction = @convention(c) (UnsafeMutablePointer<GPollFD>?, UInt32, CInt) -> CInt

  private static func same(_ left: PollFunction, _ right: PollFunction) -> Bool {
    unsafeBitCast(left, to: UInt.self) == unsafeBitCast(right, to: UInt.self)
  }

  /// A poll function that is neither GLib's nor ours: the host has a reason for it, and our driver calls it.
  static func foreignPollFunction(of context: OpaquePointer, behind chain: PollChain?) -> PollFunction? {
    guard let current = g_main_context_get_poll_func(context) else { return nil }
    let own = same(current, chainedPoll) ? chain?.previous ?? g_poll : current
    return same(own, g_poll) ? nil : own
  }

  /// Guards `foreign`. Held for a look only.
  private static let lock = Lock()
  /// The functions that chains have met, by the descriptor of their loops' wait sets: a poll function has no user data.
  private nonisolated(unsafe) static var foreign: [CInt: PollFunction] = [:]

  fileprivate static func previous(among descriptors: UnsafeMutablePointer<GPollFD>?, _ count: UInt32) -> PollFunction {
    lock.withLock {
      if foreign.isEmpty { return g_poll }
      for descriptor in UnsafeBufferPointer(start: descriptors, count: Int(count)) {
        if let function = foreign[descriptor.fd] { return function }
      }
      // Ours was left out, since a source of a better priority is ready: nothing will be waited for.
      return g_poll
    }
  }

  /// The loop whose engine was last asked to prepare on this thread. A poll function has no user data, but one that
  /// may wait is called right after all of its context's sources were asked.
  static var preparing: GRunLoop? {
    get { grl_thread_get(GRL_SLOT_PREPARING).map { Unmanaged<GRunLoop>.fromOpaque($0).takeUnretainedValue() } }
    set { grl_thread_set(GRL_SLOT_PREPARING, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
  }
}

private func chainedPoll(_ descriptors: UnsafeMutablePointer<GPollFD>?, _ count: UInt32, _ timeout: CInt) -> CInt {
  let previous = PollChain.previous(among: descriptors, count)
  // It was asked for this poll, or was not asked.
  let preparing = PollChain.preparing
  PollChain.preparing = nil
  guard let descriptors, let loop = preparing else { return previous(descriptors, count, timeout) }
  // With no time-out some source may not have been asked: nothing is said of sleeps.
  if timeout == 0 {
    loop.pollBegins(sleeps: false)
    defer { loop.pollEnds(isForeign: true) }
    let ready = previous(descriptors, count, 0)
    // A host that polls may come to what is ready before the sleep that observers were told of.
    if ready > 0 && loop.turn.phase == .announced && loop.bell?.isLooking != true { loop.turn.phase = .slept }
    return ready
  }
  switch loop.turn.phase {
  case .awake where loop.observed.load(ordering: .relaxed) & GRunLoop.Activities.waiting.rawValue != 0:
    let ready = previous(descriptors, count, 0)
    if ready == 0 { loop.turn.phase = .announce }
    return ready
  case .announced:
    let ready = sleep()
    loop.turn.phase = .slept
    return ready
  case .awake, .announce, .slept:
    return sleep()
  }

  /// GLib asked all sources, found none ready, and now waits.
  func sleep() -> CInt {
    loop.pollBegins(sleeps: true)
    defer { loop.pollEnds(isForeign: true) }
    guard loop.isSleptThroughByHand() else { return previous(descriptors, count, timeout) }
    let ready = previous(descriptors, count, 0)
    if ready == 0 { loop.lock.withLock { loop.passTime() } }
    return ready
  }
}

/// Before all other sources of the context, after each real sleep, and in the place of one that was called off.
private final class WakeSource: HostSource {
  private unowned let loop: GRunLoop
  /// The source goes with the chain, and that with the context's binding.
  private let context: OpaquePointer

  init(loop: GRunLoop, context: OpaquePointer) {
    self.loop = loop
    self.context = context
    super.init(name: "GRunLoop after waiting", priority: CInt.min)
  }

  override func prepare() -> CInt {
    // The engine's own source may not be asked.
    loop.turn.isOwnReady = false
    return -1
  }

  override func check() -> Bool {
    switch loop.turn.phase {
    case .slept: true
    case .announced: loop.bell?.isLooking != true && isCalledOff
    case .awake, .announce: false
    }
  }

  /// A source of GLib's became ready after observers were told of a sleep: an idle one that they attached themselves, or
  /// one whose time came just then. It is the time-out that says so, and not the host, which may poll meanwhile.
  private var isCalledOff: Bool {
    // Own work tells observers itself, and chores are no pass.
    if loop.turn.isOwnReady { return false }
    // Only the time-out is asked for: what GLib's prepare found is what it has here. The lock is not held in a check.
    var timeout: CInt = -1
    g_main_context_query(context, CInt.max, &timeout, nil, 0)
    return timeout == 0
  }

  override func dispatch() -> Bool {
    // Nothing else was asked, the engine's own source neither.
    loop.lock.withLock { loop.endSleep(reporting: []) }
    loop.hostWoke()
    return true
  }
}

/// Behind all other sources of the context: calls the before-waiting observers only if nothing else has become ready.
private final class AnnounceSource: HostSource {
  private unowned let loop: GRunLoop

  init(loop: GRunLoop) {
    self.loop = loop
    super.init(name: "GRunLoop before waiting", priority: CInt.max)
  }

  override func check() -> Bool { loop.turn.phase == .announce }

  override func dispatch() -> Bool {
    if !loop.isForked { loop.host.asThreadDefault { loop.hostDispatches(announcing: true) } }
    return true
  }
}
