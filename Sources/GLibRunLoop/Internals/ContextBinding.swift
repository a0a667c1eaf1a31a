import CGLib
import CRunLoopShims
import Glibc

/// A loop's place in one main context: the host's, or the own one of a private mode.
///
/// It keeps the engine's sources there: one at the default priority, which watches the wait set; one for each other
/// priority in use; and the poll function while an observer wants to hear of sleeps. For the loop's thread.
final class ContextBinding {
  let context: OpaquePointer
  /// False for a context that is somebody else's: it must be able to end while the loop is here.
  private var isRetained: Bool
  /// The context is going, and answers no questions.
  @exclusivity(unchecked) var isEnding = false
  private var engine: EngineSource?
  private var gate: GateSource?
  private var lanes: [GRunLoop.Priority: LaneSource] = [:]
  private var chain: PollChain?
  /// How often GLib's wake-up descriptor may still be looked for: other threads' news disturb a look.
  @exclusivity(unchecked) private var looksForWakeDescriptor = 16
  @exclusivity(unchecked) private(set) var wakeDescriptor: CInt?

  init(context: OpaquePointer, retained: Bool) {
    self.context = context
    isRetained = retained
    if retained { g_main_context_ref(context) }
  }

  deinit { release() }

  private func release() {
    if isRetained { g_main_context_unref(context) }
    isRetained = false
  }

  func attach(to loop: GRunLoop) {
    let engine = EngineSource(loop: loop, isHost: loop.host === self)
    self.engine = engine
    engine.attach(to: context)
    let gate = GateSource(loop: loop)
    self.gate = gate
    gate.attach(to: context)
    for priority in loop.lock.withLock({ loop.lanes }) { addLane(priority, of: loop) }
    setObservesWaiting(loop.lock.withLock { loop.observesWaiting }, of: loop)
  }

  func addLane(_ priority: GRunLoop.Priority, of loop: GRunLoop) {
    guard lanes[priority] == nil else { return }
    let lane = LaneSource(loop: loop, priority: priority)
    lanes[priority] = lane
    lane.attach(to: context)
  }

  func setObservesWaiting(_ on: Bool, of loop: GRunLoop) {
    if !on { return removeChain() }
    if chain != nil || isEnding { return }
    chain = PollChain(loop: loop, context: context)
    engine?.isChained = true
  }

  private func removeChain() {
    guard let chain else { return }
    chain.remove(contextEnds: isEnding)
    self.chain = nil
    engine?.isChained = false
  }

  /// The sources up to this number are known to be the engine's own, or gone.
  private var sourcesSeen: UInt32 = 0

  /// Whether nobody else has anything to do with the context. On its owner's thread.
  var isUnused: Bool { isRetained && grl_context_is_unused(context, HostSource.functions, &sourcesSeen) }

  /// Takes everything out of the context, and lets go of it: sources that others left there may hold the loop.
  func detach() {
    removeChain()
    // A context that is going destroys its sources itself. GLib would never free one that is destroyed meanwhile (2.74).
    if !isEnding {
      for lane in lanes.values { lane.destroy() }
      gate?.destroy()
      engine?.destroy()
    }
    (lanes, gate, engine) = ([:], nil, nil)
    release()
  }

  /// A thread that iterates somebody's context may have no thread-default one; what a call-back starts with GIO is to
  /// finish here all the same, and not in the global default one.
  func asThreadDefault(_ body: () -> Void) {
    if isRetained || g_main_context_get_thread_default() != nil { return body() }
    g_main_context_push_thread_default(context)
    body()
    g_main_context_pop_thread_default(context)
  }

  /// The context's own sources waited for with the engine's, for so many nanoseconds; negative is without end. Returns
  /// what the wait set reports, and what went wrong; then nothing is known of GLib's. There is room for two descriptors
  /// more behind the `count`.
  func poll(
    _ descriptors: UnsafeMutablePointer<GPollFD>, _ count: CInt, _ nanoseconds: Int64, with waitSet: WaitSet,
    using events: EventBuffer, expecting expectation: Expectation? = nil
  ) -> (news: WaitSet.News, failure: SystemFailure?) {
    var failed = false
    var polled = UInt32(count)
    if let expectation {
      descriptors[Int(count)] = GPollFD(
        fd: expectation.descriptor, events: UInt16(expectation.events.rawValue), revents: 0)
      polled += 1
    }
    defer { if let expectation { expectation.isReady = descriptors[Int(count)].revents != 0 } }
    if let foreign = PollChain.foreignPollFunction(of: context, behind: chain) {
      // Somebody's poll function knows milliseconds only; round up, so as not to spin before a timer.
      let rounded = nanoseconds < 0 ? -1 : min(Int64(CInt.max), (nanoseconds + 999_999) / 1_000_000)
      failed = foreign(descriptors, polled, CInt(rounded)) < 0 && errno != EINTR
    } else if let host = wakeDescriptor, let index = otherThanOurs(descriptors, count, host, waitSet.epoll) {
      // No call on top of the wait is needed to learn what has come.
      descriptors[0].revents = 0
      descriptors[1].revents = 0
      var nanoseconds = waitSet.hostIsWoken ? 0 : nanoseconds
      if expectation != nil {
        descriptors[3] = GPollFD(fd: waitSet.epoll, events: UInt16(G_IO_IN.rawValue), revents: 0)
        failed = grl_poll(descriptors + 2, 2, nanoseconds) < 0
        if !failed, descriptors[3].revents == 0, !waitSet.hostIsWoken { return ([], nil) }
        nanoseconds = 0
      }
      if !failed {
        let news = waitSet.wait(nanoseconds, using: events)
        if news.contains(.host) { descriptors[index].revents = UInt16(G_IO_IN.rawValue) }
        return (news.subtracting(.host), nil)
      }
    } else {
      failed = grl_poll(descriptors, polled, nanoseconds) < 0
    }
    if failed {
      // Out of memory, or more descriptors than the process may open.
      let failure = SystemFailure(call: "poll of \(count) descriptors")
      return (waitSet.take(using: events), failure)
    }
    for index in 0..<Int(count) where descriptors[index].fd == waitSet.epoll {
      return (descriptors[index].revents != 0 ? waitSet.take(using: events) : [], nil)
    }
    // A foreign source of a better priority is ready, so that GLib left the engine's descriptor out.
    return (waitSet.take(using: events), nil)
  }

  /// Where GLib's wake-up descriptor is, if the only other one is the wait set's.
  private func otherThanOurs(
    _ descriptors: UnsafeMutablePointer<GPollFD>, _ count: CInt, _ host: CInt, _ ours: CInt
  ) -> Int? {
    guard count == 2 else { return nil }
    if descriptors[0].fd == host && descriptors[1].fd == ours { return 0 }
    return descriptors[1].fd == host && descriptors[0].fd == ours ? 1 : nil
  }

  /// After a check, when GLib has read its own wake-up: has the wait set watch for that, too, so that one call can wait
  /// for all.
  ///
  /// GLib tells nobody which descriptor it is. It is the one that a wake-up makes readable, each time; asked twice,
  /// lest something else came just then. Another thread's wake-up may be lost here, but ends no wait: GLib is asked
  /// again before the next one.
  func findWakeDescriptor(among descriptors: UnsafeMutablePointer<GPollFD>, _ count: CInt, for waitSet: WaitSet) {
    guard looksForWakeDescriptor > 0 else { return }
    looksForWakeDescriptor -= 1
    func readable() -> Set<CInt> {
      _ = grl_poll(descriptors, UInt32(count), 0)
      let all = UnsafeBufferPointer(start: descriptors, count: Int(count))
      return Set(all.filter { $0.revents & UInt16(G_IO_IN.rawValue) != 0 }.map(\.fd))
    }
    let before = readable()
    var found: CInt?
    for _ in 0..<2 {
      g_main_context_wakeup(context)
      let candidates = readable().subtracting(before)
      guard candidates.count == 1, found == nil || candidates.first == found else { return }
      found = candidates.first
      grl_eventfd_drain(found!)
    }
    looksForWakeDescriptor = 0
    if waitSet.watchHost(found!) { wakeDescriptor = found }
  }
}

/// The engine in a context: the whole of the loop's work at the default priority.
final class EngineSource: HostSource {
  /// Strong: a loop that was made for somebody's context lives as long as that.
  private let loop: GRunLoop
  private let isHost: Bool
  /// Whether the context's poll function is ours, and wants to know the loop.
  @exclusivity(unchecked) var isChained = false
  private let descriptor = UnsafeMutablePointer<GPollFD>.allocate(capacity: 1)

  init(loop: GRunLoop, isHost: Bool) {
    self.loop = loop
    self.isHost = isHost
    descriptor.initialize(to: GPollFD(fd: loop.waitSet.epoll, events: UInt16(G_IO_IN.rawValue), revents: 0))
    super.init(name: "GRunLoop", priority: G_PRIORITY_DEFAULT)
    g_source_add_poll(source, descriptor)
  }

  deinit { descriptor.deallocate() }

  override func prepare() -> CInt {
    if loop.isForked { return silence() }
    if case .steps = loop.driving { return -1 }
    return loop.hostPrepares(isChained: isChained)
  }

  /// A forked child iterates the parent's context. It shares the parent's clocks and descriptors, so nothing is done.
  private func silence() -> CInt {
    if descriptor.pointee.events != 0 { diagnose("the turns of a run loop are left out: \(GRunLoop.Failure.forked)") }
    descriptor.pointee.events = 0
    return -1
  }

  override func check() -> Bool {
    if loop.isForked { return false }
    if case .steps = loop.driving { return loop.arbitration.engineIsAsked() }
    if let bell = loop.bell, bell.isSettling { return false }
    return loop.hostChecks(isReady: descriptor.pointee.revents != 0)
  }

  override func dispatch() -> Bool {
    // Our driver called this dispatch. It does the pass itself, if the source was ready from before its run began.
    if case .dispatch(let depth) = loop.driving, g_main_depth() == depth + 1 {
      loop.deliverInDispatch()
      return true
    }
    if !loop.isForked { loop.host.asThreadDefault { loop.hostDispatches() } }
    return true
  }

  override func didEnd() { if isHost { loop.hostContextEnded() } }
}

/// The loop's work of one priority that is not the default.
final class LaneSource: HostSource {
  private unowned let loop: GRunLoop
  private let lane: GRunLoop.Priority

  init(loop: GRunLoop, priority: GRunLoop.Priority) {
    self.loop = loop
    lane = priority
    super.init(name: "GRunLoop lane", priority: priority.rawValue)
  }

  private var isReady: Bool {
    !loop.isForked && loop.lock.withLock { loop.scope.contains { $0.hasPerforms(at: lane) } }
  }

  override func prepare() -> CInt { isReady ? 0 : -1 }

  override func check() -> Bool {
    guard isReady else { return false }
    loop.arbitration.isReady(lane.rawValue)
    return true
  }

  override func dispatch() -> Bool {
    loop.host.asThreadDefault { loop.runPerforms(lane) }
    return true
  }
}

/// Before all other sources of the context: the poll is over, and what comes now is work.
final class GateSource: HostSource {
  private unowned let loop: GRunLoop

  init(loop: GRunLoop) {
    self.loop = loop
    super.init(name: "GRunLoop gate", priority: CInt.min, prepares: false)
  }

  override func check() -> Bool {
    if let bell = loop.bell, bell.isSettling { return false }
    loop.waits.store(false, ordering: .relaxed)
    return false
  }
}
