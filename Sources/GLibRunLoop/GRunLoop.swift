import CGLib
import CRunLoopShims
import Synchronization

/// A run loop in Apple's sense that lives in a GLib main context.
///
/// Whoever iterates the context runs the loop: `g_main_loop_run`, `g_application_run`, GTK, a program in another
/// language, or Swift itself with ``run()`` and its kin. Either way items fire in the documented order, in their modes.
///
/// ```swift
/// let loop = GRunLoop.current
/// loop.add(GRunLoop.Timer(interval: .seconds(1), repeats: true) { _ in print("tick") }, forMode: .common)
/// loop.run()
/// ```
///
/// Every thread has one loop, ``current``. Adding, removing, signalling, performing, waking and stopping are safe from
/// every thread; running is for the loop's own thread. The counterparts are `CFRunLoop` and `Foundation.RunLoop`.
public final class GRunLoop: @unchecked Sendable {
  // Invariant for @unchecked: what stands under "guarded by the lock" is touched only with `lock` held, what stands
  // under "loop's thread" only on the thread that drives the loop. No user code runs with the lock held.
  //
  // What each post writes, what the loop's thread writes at each call, and what both read lie on cache lines of their
  // own. Otherwise the two take lines from each other again and again, and a post costs half as much again.

  // MARK: Seldom changed

  let waitSet = WaitSet()
  let host: ContextBinding
  let common = ModeState(mode: .common)
  /// How many forks lay behind the process that made the loop.
  private let forkGeneration = grl_fork_generation()
  /// The main loop's service of Dispatch's main queue.
  let mainQueue: MainQueue?
  let events = EventBuffer()
  /// The number of the thread that drove the loop last; 0 while it is not known.
  let thread: Atomic<UInt64>
  /// The number of the thread that the loop was made for. 0 for the main loop, which is the first thread's, and in
  /// somebody's context, which is whoever's drove it last.
  private let maker: UInt64
  /// What any observer in scope wants to be told of; lets a pass skip the call-outs. Relaxed: a hint, the lock decides.
  let observed = Atomic<UInt>(0)
  /// Set while `cancelledInBatch` has entries. Relaxed: the loop's thread then looks under the lock.
  let hasCancelled = Atomic<Bool>(false)
  /// The loop sleeps, or is about to. Relaxed: it tells nothing but itself.
  let waits = Atomic<Bool>(false)
  /// What instruments see of the loop; made once, when one first looks. See `probe`.
  let probePointer = Atomic<UnsafeRawPointer?>(nil)
  /// See `Probes.loopEnded`.
  @exclusivity(unchecked) var hasEndedForProbes = false

  // MARK: Seldom changed, and guarded by the lock

  @exclusivity(unchecked) var modes: [Mode: ModeState] = [:]
  @exclusivity(unchecked) var commonModes: Set<Mode> = [.default, .modalPanel, .eventTracking]
  @exclusivity(unchecked) var scope: Scope
  /// The wait set does not know of the scope yet.
  @exclusivity(unchecked) var scopeIsNew = true
  @exclusivity(unchecked) var hostModeState: ModeState
  @exclusivity(unchecked) var activations: [Activation] = []
  @exclusivity(unchecked) var hasEnded = false
  @exclusivity(unchecked) var keepsCommonModesAlive = false
  /// Whether there ever was a timer on another clock than the monotonic one.
  @exclusivity(unchecked) var usesOtherClocks = false
  /// See `spinDuration`.
  @exclusivity(unchecked) var spinNanoseconds: Int64 = 0
  /// The priorities, other than the default, that there was ever work for.
  @exclusivity(unchecked) var lanes: Set<Priority> = []
  /// Whether any observer wants to hear of sleeps.
  @exclusivity(unchecked) var observesWaiting = false
  /// The modes that may have something to give back.
  @exclusivity(unchecked) var modesAtRest: Set<ModeState> = []
  /// The loop's thread is to do what `observesWaiting` says.
  @exclusivity(unchecked) var chainIsStale = false
  /// How many observers do, counted once for each mode.
  @exclusivity(unchecked) var waitingObservers = 0
  @exclusivity(unchecked) var cancelledInBatch: Set<UInt64> = []
  @exclusivity(unchecked) var targets: [ObjectIdentifier: [TargetedPerform: String?]] = [:]
  /// The items of other priorities than the default that are ready, and wait for GLib to come to them.
  @exclusivity(unchecked) var turns: [ObjectIdentifier: QueuedTurn] = [:]
  /// The clock that is moved by hand, while there is one. Written by the loop's thread, which reads it unlocked.
  @exclusivity(unchecked) var manualClock: ManualClock?
  @exclusivity(unchecked) var foreignSources: [UnsafeMutablePointer<GSource>: ForeignSource] = [:]

  // MARK: Changed by each post, and guarded by the lock

  private let gapBeforePosts = CacheLineGap()
  let lock = Lock()
  @exclusivity(unchecked) var lastSequence: UInt64 = 0
  /// Nobody is awake to see new work: whoever adds some must write the wake-up. One writer a sleep.
  @exclusivity(unchecked) var wakeNeeded = true
  /// Written by the loop's thread only, which therefore may look without the lock.
  @exclusivity(unchecked) var isSleeping = false
  /// Another thread has queued performs since the last batch was taken.
  @exclusivity(unchecked) var hasPostsOfOthers = false
  /// See ``Pending``.
  let pendingBits = Atomic<UInt8>(0)
  /// Whether the loop spins in place of a sleep. See ``Spin``.
  let spin = Atomic<Spin>(.none)
  /// Threads between claiming a wake-up and writing it; the highest bit is set while the end waits for them.
  let wakers = Atomic<UInt32>(0)
  /// No timer of the monotonic clock that is in scope is due before this. Ordered as `pendingBits`.
  let nextTimerDate = Atomic<Int64>(.max)
  /// When the loop that sleeps now will wake by itself.
  @exclusivity(unchecked) var announcedDate = Int64.max
  /// Work for the loop's thread that no observer is told of: things to free, to attach, to call off.
  @exclusivity(unchecked) var chores: [() -> Void] = []
  private let gapAfterPosts = CacheLineGap()

  // MARK: Loop's thread

  @exclusivity(unchecked) var passNumber: UInt64 = 0
  /// Performs that were queued by performs wait until this pass.
  @exclusivity(unchecked) var performsHeldUntil: UInt64 = 0
  @exclusivity(unchecked) var driving = Driving.glib
  @exclusivity(unchecked) var turn = HostTurn()
  /// Performs are being run.
  @exclusivity(unchecked) var isInBatch = false
  /// From which to which number performs were taken. Changed under the lock.
  @exclusivity(unchecked) var takenNumbers: ClosedRange<UInt64> = 0...0
  /// The performs that somebody waits for and that are being run, the innermost last.
  @exclusivity(unchecked) var running: [PerformDetails] = []
  /// An actor's job is being run.
  @exclusivity(unchecked) var isInJob = false
  /// The jobs that came to their turn meanwhile.
  @exclusivity(unchecked) var heldJobs = PerformQueue()
  /// The last batch was part of another thread's burst.
  @exclusivity(unchecked) var isInBurst = false
  /// A source was handled in the pass under way.
  @exclusivity(unchecked) var handledSource = false
  /// A pass has gone by since descriptors were last verified; its call-backs may have closed one.
  @exclusivity(unchecked) var hasTurned = true
  /// The pass from which on a loop that never sleeps verifies them all the same.
  @exclusivity(unchecked) var nextVerification: UInt64 = 0
  /// When all of many descriptors were last verified, and when the rest of them must be at the latest.
  @exclusivity(unchecked) var lastVerification = Int64.min
  @exclusivity(unchecked) var verificationDate = Int64.max
  /// The run in progress returns after a source, so that the rest of the ready ones waits for the next run.
  @exclusivity(unchecked) var returnsAfterSource = false
  /// What the wait set has reported and no pass has dealt with yet.
  @exclusivity(unchecked) var news: WaitSet.News = []
  /// GLib drives, and the kernel refused a clock: it was said.
  @exclusivity(unchecked) var timersAreCoarse = false
  /// The last poll failed: it was said.
  @exclusivity(unchecked) var pollFails = false
  /// What the engine's sources say to GLib's check, and have said.
  @exclusivity(unchecked) var arbitration = Arbitration()
  /// The run whose own work is to be done when GLib comes to the engine's source.
  @exclusivity(unchecked) var undelivered: Activation?
  /// A private mode's context that is no mode's now.
  @exclusivity(unchecked) var spareBinding: ContextBinding?
  /// What a host polls that is not GLib's, once it has asked for it.
  @exclusivity(unchecked) var bell: HostBell?
  /// The timers that were due when a pass looked, and that it has not come to yet. Changed under the lock.
  @exclusivity(unchecked) var dueTimers = DueTimers()
  // Room that is used again and again; whoever uses it takes it out, since a call-back may run the loop.
  @exclusivity(unchecked) var readyDescriptors = Vector<ReadyDescriptor>()
  @exclusivity(unchecked) var signals = Vector<Signal>()

  init(context: OpaquePointer, thread: UInt64, isMain: Bool, isOwned: Bool) {
    self.thread = Atomic(thread)
    maker = thread
    let defaultState = ModeState(mode: .default)
    defaultState.isCommon = true
    modes[.default] = defaultState
    hostModeState = defaultState
    scope = Scope(state: defaultState, common: common)
    host = ContextBinding(context: context, retained: isOwned)
    mainQueue = isMain ? MainQueue() : nil
    mainQueue?.setWatched(true, in: waitSet)
    waitSet.listen(to: defaultState.tag, common: true)
    host.attach(to: self)
    // Later: whoever reads the log may ask for the main loop, which is being made here.
    if let problem = mainQueue?.problem { lock.withLock { diagnoseLater(problem) } }
    beginInstruments()
  }

  deinit {
    // Acquiring: pairs with the store in `Probes.slot`.
    if let probe = probePointer.load(ordering: .acquiring) { Unmanaged<ProbeSlot>.fromOpaque(probe).release() }
    for state in modes.values { state.free() }
    common.free()
  }

  // MARK: Where it lives

  /// The main context that the loop lives in, a `GMainContext *`: the global default one for ``main``. GLib code and
  /// the loop's items share it freely. The pointer is good for as long as the loop's thread or context lives.
  public var context: OpaquePointer { host.context }

  /// Whether this is known to be the loop's thread, without asking the context.
  var isKnownToBeCurrent: Bool { thread.load(ordering: .relaxed) == grl_thread_number() }  // Relaxed: see `isCurrent`.

  /// Whether the caller is on the thread that the loop belongs to. (`g_main_context_is_owner`, without its traps)
  ///
  /// While a thread owns the context, the loop is that thread's. While nobody does, it is the one's that it was made for:
  /// the first thread's for ``main``, the one's that asked for ``current``. In somebody's context it is whoever's drove it
  /// last.
  public var isCurrent: Bool {
    // Relaxed: a thread that finds its own number wrote it itself, or never will.
    if isKnownToBeCurrent && (isMadeForThisThread || isAdopted) { return !isForked }
    if isForked || !mayDrive { return false }
    noteThread()
    return true
  }

  /// Whether the loop lives in a context that other code made.
  var isAdopted: Bool { maker == 0 && mainQueue == nil }

  /// Whether it is this thread's while nobody owns the context.
  var isMadeForThisThread: Bool {
    maker == 0 ? mainQueue != nil && grl_thread_is_first() : maker == grl_thread_number()
  }

  /// Whether this thread owns the context, or nobody does and the loop was made for it.
  private var mayDrive: Bool {
    // Under the lock: a context that is not ours to hold may go at any time, and the end waits for the lock.
    lock.withLock {
      if hasEnded { return false }
      // Who only holds it, without having driven the loop, does not make it his: what is for the main loop's thread must
      // not run there.
      if g_main_context_is_owner(context) != 0, isMadeForThisThread || isAdopted || isKnownToBeCurrent { return true }
      guard isMadeForThisThread, g_main_context_acquire(context) != 0 else { return false }
      g_main_context_release(context)
      return true
    }
  }

  /// How often, and how long, a run waits for a thread that owns the context for a moment, as `g_main_context_invoke` does.
  private static let (looks, timeBetweenLooks): (Int, Int64) = (500, 2_000_000)

  /// Acquires the context for this thread. False if another one does not let go of it.
  func acquireContext() -> Bool {
    for look in 0... {
      if g_main_context_acquire(context) != 0 { return true }
      if look == Self.looks { break }
      grl_nap(Self.timeBetweenLooks)
    }
    return false
  }

  @inline(__always)
  package var isForked: Bool { forkGeneration != grl_fork_generation() }

  // MARK: Small things under the lock

  func nextSequence() -> UInt64 {
    lastSequence += 1
    return lastSequence
  }

  func state(for mode: Mode) -> ModeState {
    if mode == scope.state.mode { return scope.state }
    if mode == .common { return common }
    if let state = modes[mode] { return state }
    let state = ModeState(mode: mode)
    state.isCommon = commonModes.contains(mode)
    modes[mode] = state
    return state
  }

  /// The modes whose items fire while this one runs.
  func scope(of state: ModeState) -> Scope {
    Scope(state: state, common: state.isCommon ? common : nil)
  }

  /// The mode through which an item can fire now.
  @inline(__always)
  func scopeState(of item: Item) -> ModeState? {
    if let first = item.slots.first, scope.includes(first.state) { return first.state }
    if item.slots.contains(scope.state) { return scope.state }
    if let common = scope.common, item.slots.contains(common) { return common }
    return nil
  }

  func observersChanged() {
    var union: Activities = []
    scope.forEach { union.formUnion($0.activities) }
    observed.store(union.rawValue, ordering: .relaxed)
  }
}

extension GRunLoop: Hashable {
  /// Whether both are the same loop.
  public static func == (left: GRunLoop, right: GRunLoop) -> Bool { left === right }
  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Who calls poll at this moment.
enum Driving {
  /// Somebody iterates the context.
  case glib
  /// Our driver, between GLib's prepare and check: the engine's sources say that they are not ready.
  case steps
  /// Our driver, inside GLib's dispatch that it called at this depth of the main loop.
  case dispatch(depth: CInt)
}
