import CGLib
import Synchronization

/// One run that is in progress. They form a stack, the innermost last. For the loop's thread, but for `isStopped`.
final class Activation {
  let scope: Scope
  let binding: ContextBinding
  let expectation: Expectation?
  /// Any thread may stop a run. Relaxed: the wake-up that comes with it makes the loop look.
  let isStopped = Atomic<Bool>(false)
  /// The passes since GLib's own sources were last looked at, and when that was.
  @exclusivity(unchecked) var passesWithoutSteps = 0
  /// Sources of better priorities are ready again and again, so that the pass's own half has to wait.
  @exclusivity(unchecked) var isBehind = false
  @exclusivity(unchecked) var lastSteps: Int64 = 0
  /// The sets in which the last look found descriptors ready; they often are again.
  @exclusivity(unchecked) var readySets: WaitSet.News = []
  /// When the wait set was last looked at.
  @exclusivity(unchecked) var lastPoll: Int64 = 0
  /// How long the last wait took that found something, in nanoseconds; 0 if it was none, or was not timed.
  @exclusivity(unchecked) var lastWait: Int64 = 0
  @exclusivity(unchecked) private(set) var descriptors = UnsafeMutablePointer<GPollFD>.allocate(capacity: 8)
  @exclusivity(unchecked) private(set) var capacity: CInt = 8

  init(scope: Scope, binding: ContextBinding, expectation: Expectation?) {
    self.scope = scope
    self.binding = binding
    self.expectation = expectation
  }

  deinit { descriptors.deallocate() }

  /// What has so short waits is in a rapid exchange with another thread or process: descriptors are then not looked after
  /// before each sleep, but if the other one lets the loop wait for longer.
  static let exchangeLimit: Int64 = 50_000
  /// How much longer. A timer so far away costs next to nothing; one of some microseconds costs more than looking.
  static let exchangeNap: Int64 = 10_000_000
  var isInExchange: Bool { lastWait > 0 && lastWait < Self.exchangeLimit }
  /// Shorter ones were no sleep: what was found was there before.
  private static let shortestSleep: Int64 = 1000
  var hasSlept: Bool { lastWait >= Self.shortestSleep }

  /// After a poll: how many descriptors of others' sources are ready. None, while GLib's own one is not known.
  func foreignDescriptors(_ count: CInt, but own: CInt) -> Int {
    guard let wake = binding.wakeDescriptor else { return 0 }
    var ready = 0
    for index in 0..<Int(count) where descriptors[index].revents != 0 {
      if descriptors[index].fd != own && descriptors[index].fd != wake { ready += 1 }
    }
    return ready
  }

  func grow(to count: CInt) {
    descriptors.deallocate()
    capacity = (count + 2) * 2
    descriptors = .allocate(capacity: Int(capacity))
  }
}

extension GRunLoop {
  /// Under the lock: makes `state`'s items the ones that fire. No system call is made; see ``watchScope()``.
  func enter(_ state: ModeState) {
    scope = scope(of: state)
    scopeIsNew = true
    waitSet.listen(to: state.tag, common: scope.common != nil)
    observersChanged()
    lookAgain()
  }

  /// Under the lock, before the wait set is asked: has it watch what is in scope.
  ///
  /// What was watched for the scope before goes on being so: most often the next change brings that back, and meanwhile
  /// nothing comes. If it does, it is not watched any more until then.
  func watchScope() {
    if scopeIsNew {
      scopeIsNew = false
      scope.forEach { $0.descriptors?.attach(true) }
      if scope.common != nil { mainQueue?.setWatched(true, in: waitSet) }
    }
    guard waitSet.takeStrays() else { return }
    for state in modes.values where !scope.includes(state) { state.descriptors?.attach(false) }
    guard scope.common == nil else { return }
    common.descriptors?.attach(false)
    mainQueue?.setWatched(false, in: waitSet)
  }

  /// Under the lock: whether a run in this scope would have nothing to wait for.
  func isEmpty(_ scope: Scope) -> Bool {
    if scope.contains(where: { $0.hasLiveItems || $0.hasPerforms || $0.hasTaken }) { return false }
    return scope.common == nil || !(keepsCommonModesAlive || (mainQueue?.keepsModeAlive ?? false))
  }

  /// Under the lock: whether a run has nothing to wait for.
  func hasNothing(_ run: Activation) -> Bool { run.expectation == nil && isEmpty(run.scope) }

  /// Begins a run. Nil if the mode has nothing to wait for.
  func pushActivation(_ mode: Mode, expecting expectation: Expectation?) -> Activation? {
    lock.lock()
    let state = state(for: mode)
    let scope = scope(of: state)
    if hasEnded || (expectation == nil && isEmpty(scope)) {
      lock.unlock()
      return nil
    }
    lock.unlock()
    let binding = scope.common != nil ? host : privateBinding(of: state)
    if binding === host && !acquireContext() {
      diagnose("a run in mode \"\(mode)\" was refused: another thread owns the loop's context")
      return nil
    }
    let activation = Activation(scope: scope, binding: binding, expectation: expectation)
    lock.lock()
    activations.append(activation)
    enter(state)
    // Awake: this thread looks at the queues before it sleeps.
    wakeNeeded = false
    lock.unlock()
    // Also acquires the context, so that what GIO starts during the run finishes in it.
    g_main_context_push_thread_default(binding.context)
    if binding === host { g_main_context_release(context) }
    return activation
  }

  func popActivation(_ activation: Activation) {
    g_main_context_pop_thread_default(activation.binding.context)
    let state = activation.scope.state
    let mayLetGo = lock.withLock {
      activations.removeLast()
      enter(activations.last?.scope.state ?? hostModeState)
      // Nobody may come to look again: whoever adds work from now on writes the wake-up.
      if activations.isEmpty { wakeNeeded = true }
      return isAtRest(state)
    }
    // A run that expects an answer is soon followed by the next one.
    if mayLetGo && activation.expectation == nil { letGo(of: state) }
    bell?.ring()
  }

  // MARK: What a mode takes of the system

  /// The context of a private mode, made when it is first needed. On the loop's thread.
  func privateBinding(of state: ModeState) -> ContextBinding {
    if let binding = state.binding { return binding }
    let binding = spareBinding.take() ?? newBinding()
    lock.withLock { state.binding = binding }
    return binding
  }

  private func newBinding() -> ContextBinding {
    let context = g_main_context_new()!
    let binding = ContextBinding(context: context, retained: true)
    g_main_context_unref(context)
    binding.attach(to: self)
    note(privateContext: context)
    return binding
  }

  /// Under the lock: whether a mode that has descriptors of its own has nothing in it, and does not run.
  func isAtRest(_ state: ModeState) -> Bool {
    if state == common || state == hostModeState || state.binding == nil && state.descriptors == nil { return false }
    if state.itemCount > 0 || state.hasPerforms || state.hasTaken { return false }
    return !activations.contains { $0.scope.state == state }
  }

  /// On the loop's thread: gives back what a mode at rest has of the system. One private context is kept for the next mode
  /// that wants one, since most come and go; one that others still use remains the mode's own.
  func letGo(of state: ModeState) {
    let binding: ContextBinding? = lock.withLock {
      modesAtRest.remove(state)
      guard isAtRest(state) else { return nil }
      state.dropDescriptors()
      return state.binding
    }
    guard let binding, binding.isUnused else { return }
    lock.withLock { state.binding = nil }
    guard spareBinding != nil else { return spareBinding = binding }
    forget(privateContext: binding.context)
    binding.detach()
  }
}
