import CGLib
import Synchronization

/// One run that is in progress. They form a stack, the innermost last. For the loop's thread, but for `isStopped`.
final class Activation {
  let scope: Scope
  let binding: ContextBinding
  /// Any thread may stop a run. Relaxed: the wake-up that comes with it makes the loop look.
  let isStopped = Atomic<Bool>(false)
  /// The passes since GLib's own sources were last looked at, and when that was.
  @exclusivity(unchecked) var passesWithoutSteps = 0
  @exclusivity(unchecked) var lastSteps: Int64 = 0
  /// The sets in which the last look found descriptors ready; they often are again.
  @exclusivity(unchecked) var readySets: WaitSet.News = []
  /// When the wait set was last looked at.
  @exclusivity(unchecked) var lastPoll: Int64 = 0
  @exclusivity(unchecked) private(set) var descriptors = UnsafeMutablePointer<GPollFD>.allocate(capacity: 8)
  @exclusivity(unchecked) private(set) var capacity: CInt = 8

  init(scope: Scope, binding: ContextBinding) {
    self.scope = scope
    self.binding = binding
  }

  deinit { descriptors.deallocate() }

  func grow(to count: CInt) {
    descriptors.deallocate()
    capacity = count * 2
    descriptors = .allocate(capacity: Int(capacity))
  }
}

extension GRunLoop {
  /// Under the lock: makes `state`'s items the ones that fire. Two changes to the wait set at most.
  func enter(_ state: ModeState) {
    let old = scope
    scope = scope(of: state)
    let isCommon = scope.common != nil
    if old.state != state {
      old.state.descriptors?.attach(false)
      state.descriptors?.attach(true)
    }
    common.descriptors?.attach(isCommon)
    mainQueue?.setWatched(isCommon, in: waitSet)
    observersChanged()
    lookAgain()
  }

  /// Under the lock: whether a run in this scope would have nothing to wait for.
  func isEmpty(_ scope: Scope) -> Bool {
    if scope.contains(where: { $0.hasLiveItems || $0.hasPerforms }) { return false }
    return scope.common == nil || !(keepsCommonModesAlive || (mainQueue?.keepsModeAlive ?? false))
  }

  /// Begins a run. Nil if the mode has nothing to wait for.
  func pushActivation(_ mode: Mode) -> Activation? {
    lock.lock()
    let state = state(for: mode)
    let scope = scope(of: state)
    if hasEnded || isEmpty(scope) {
      lock.unlock()
      return nil
    }
    lock.unlock()
    let binding = scope.common != nil ? host : privateBinding(of: state)
    let activation = Activation(scope: scope, binding: binding)
    lock.lock()
    activations.append(activation)
    enter(state)
    // Awake: this thread looks at the queues before it sleeps.
    wakeNeeded = false
    lock.unlock()
    // Also acquires the context, so that what GIO starts during the run finishes in it.
    g_main_context_push_thread_default(binding.context)
    return activation
  }

  func popActivation(_ activation: Activation) {
    g_main_context_pop_thread_default(activation.binding.context)
    lock.withLock {
      activations.removeLast()
      enter(activations.last?.scope.state ?? hostModeState)
      // Nobody may come to look again: whoever adds work from now on writes the wake-up.
      if activations.isEmpty { wakeNeeded = true }
    }
  }

  /// The context of a private mode, made when it is first needed. On the loop's thread.
  func privateBinding(of state: ModeState) -> ContextBinding {
    if let binding = state.binding { return binding }
    let context = g_main_context_new()!
    let binding = ContextBinding(context: context, retained: true)
    g_main_context_unref(context)
    binding.attach(to: self)
    lock.withLock { state.binding = binding }
    return binding
  }
}
