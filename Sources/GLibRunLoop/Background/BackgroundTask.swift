extension GRunLoop {
  /// Work that must not keep the loop waiting: a step before it, the work itself on another thread, a step after it.
  ///
  /// ```swift
  /// let download = GRunLoop.BackgroundTask(
  ///   pre: { spinner.start() },
  ///   background: { report in try fetch(url) { report($0) } },
  ///   progress: { bar.value = $0 },
  ///   post: { result in
  ///     spinner.stop()
  ///     show(result)
  ///   })
  /// download.start()
  /// ```
  ///
  /// The steps never overlap, and come in this order. `pre`, `progress` and `post` are called on the loop's thread and
  /// may use what belongs to it; `background` runs on a ``Worker`` and takes what it uses with it. The loop goes on
  /// meanwhile. It keeps its modes running until `post` has been called; if the loop ends before, the background step is
  /// cancelled, and the others are freed without a call.
  ///
  /// In asynchronous code see ``GRunLoop/background(worker:inModes:_:progress:)-(_,_,_,(Update)->Void)``.
  public final class BackgroundTask: @unchecked Sendable {
    // Invariant for @unchecked: `phase`, `isCancelled` and `work` are touched only with `lock` held; what stands under
    // "loop's thread" only there, once the task has been started.

    private enum Phase {
      case ready, running
      /// The background step is over.
      case ended
      /// `post` is being called.
      case posting
      case over
    }

    /// The loop that the task belongs to.
    public let loop: GRunLoop
    private let modes: [Mode]
    private let priority: Priority
    /// Those that a group stands for.
    private let members: [BackgroundTask]

    private let lock = Lock()
    private var phase = Phase.ready
    private var cancelled = false
    private var work: Task<Void, Never>?
    /// Set once, by `init`.
    private var dropProgress: (@Sendable () -> Void)?

    // MARK: Loop's thread

    private var steps: Steps?
    private var source: Source?
    /// One of its steps is being called.
    private var isCallingStep = false
    private var hasNews = false
    /// Modes in which somebody waits for it.
    private var visited: [Mode] = []
    /// Which of the loop's runs wait for it, by their depth.
    private var waits: [Int] = []
    private var followers: [() -> Void] = []

    struct Steps {
      let pre: () -> Void
      /// Begins the work, which calls `end()` when it is done.
      let begin: () -> Task<Void, Never>?
      let progress: () -> Void
      let dropProgress: @Sendable () -> Void
      /// With true, after a cancel.
      let post: (Bool) -> Void
    }

    init(
      on loop: GRunLoop, inModes modes: [Mode], priority: Priority, members: [BackgroundTask] = [],
      _ steps: (BackgroundTask) -> Steps
    ) {
      self.loop = loop
      self.modes = modes
      self.priority = priority
      self.members = members
      self.steps = steps(self)
      dropProgress = self.steps!.dropProgress
    }

    // MARK: Its life

    /// Calls `pre`, and has the background step begin. On the loop's thread. A task is started once.
    public func start() {
      if let refusal = begin() { diagnose("start() of a background task was refused: \(refusal)") }
    }

    /// Returns why it was not started. Nobody is called then.
    func begin() -> Failure? {
      if !loop.isCurrent {
        return .refused(
          "only the thread of its loop can start it; from another one, perform a closure there that makes and starts it"
        )
      }
      if modes.isEmpty { return .refused("it names no mode in which to come back") }
      guard lock.withLock({ move(from: .ready, to: .running) }), let steps else {
        return .refused("it was started before; make a new one")
      }
      let tether = LoopTether(self)
      let source = Source(priority: priority) { _ in tether.task.deliver() }
      if let failure = loop.begin(source, inModes: modes) { return failure }
      self.source = source
      for mode in visited where !loop.contains(source, inMode: mode) { loop.add(source, forMode: mode) }
      call(steps.pre)
      // A cancel that came before finds no work; the work looks for itself.
      let work = steps.begin()
      let isCancelled = lock.withLock {
        self.work = work
        return cancelled
      }
      if isCancelled { work?.cancel() }
      return nil
    }

    /// Has the work end: `post` gets a `CancellationError`, also if the work is done by then but `post` has not been
    /// called yet. A background step that has not begun does not run; one that has can ask `Task.isCancelled`, and is
    /// waited for. No progress comes any more. From any thread.
    public func cancel() {
      let (wasRunning, work) = lock.withLock {
        if phase == .posting || phase == .over { return (false, nil as Task<Void, Never>?) }
        cancelled = true
        return (true, self.work)
      }
      guard wasRunning else { return }
      dropProgress?()
      work?.cancel()
      for member in members { member.cancel() }
    }

    /// Whether ``cancel()`` was called in time. From any thread.
    public var isCancelled: Bool { lock.withLock { cancelled } }

    /// Whether `post` has been called, or never will be. From any thread.
    public var isOver: Bool { lock.withLock { phase == .over } }

    // MARK: Waiting

    /// Runs the loop in a mode until `post` has been called. On the loop's thread, and not in a step of the task's own.
    ///
    /// What is in the mode goes on: with the default mode, all that the user sees; with a private one, nothing but the
    /// task. The task's progress comes in that mode, too. ``GRunLoop/stop()`` ends the wait, not the task.
    ///
    /// - Parameters:
    ///   - mode: Not ``Mode/common``.
    ///   - limit: When to give up waiting.
    /// - Returns: Whether the task is over.
    @discardableResult
    public func wait(mode: Mode = .default, until limit: Instant = .distantFuture) -> Bool {
      let problem: String? =
        if !loop.isCurrent {
          "only the thread of its loop can wait for it, since waiting runs the loop"
        } else if isCallingStep {
          "a step of the task's own would wait for itself"
        } else if lock.withLock({ phase == .ready }) {
          "it was not started"
        } else {
          nil
        }
      if let problem {
        diagnose("wait(mode:until:) for a background task was refused: \(problem)")
        return false
      }
      if isOver { return true }
      visit(mode)
      let depth = loop.runDepth
      waits.append(depth)
      let alarm = alarm(at: limit, in: mode, endingRunAt: depth)
      _ = loop.run(mode, until: alarm == nil ? limit.monotonic : .max, returnsAfterSource: false)
      alarm?.invalidate()
      waits.removeLast()
      leave(mode)
      return isOver
    }

    /// A limit on another clock than the monotonic one is a timer of that clock, which goes on while the machine sleeps
    /// and follows when somebody sets the clock. Nil where there is nothing to follow.
    private func alarm(at limit: Instant, in mode: Mode, endingRunAt depth: Int) -> Timer? {
      if limit.timebase == .monotonic || limit.nanoseconds == .max || limit <= loop.now(on: limit.timebase) {
        return nil
      }
      let alarm = Timer(fireDate: limit) { [unowned loop] _ in loop.stopRun(at: depth) }
      // The run refuses what is no mode by itself.
      if mode == .common || mode.rawValue.isEmpty { return nil }
      guard let failure = loop.begin(alarm, inModes: [mode]) else { return alarm }
      diagnose("the limit of wait(mode:until:) does not count time in which the machine sleeps: \(failure)")
      return nil
    }

    /// Its news comes in this mode, too. The loop refuses to run in the common set.
    private func visit(_ mode: Mode) {
      if mode == .common { return }
      visited.append(mode)
      if let source, !loop.contains(source, inMode: mode) { loop.add(source, forMode: mode) }
      for member in members { member.visit(mode) }
    }

    private func leave(_ mode: Mode) {
      if mode == .common { return }
      visited.remove(at: visited.lastIndex(of: mode)!)
      if let source, !modes.contains(mode), !visited.contains(mode) { loop.remove(source, forMode: mode) }
      for member in members { member.leave(mode) }
    }

    // MARK: For the steps

    /// The work is done. From any thread.
    func end() {
      if lock.withLock({ move(from: .running, to: .ended) }) { source?.signal() }
    }

    /// There is progress.
    func announce() { source?.signal() }

    /// On the loop's thread: called after `post`.
    func follow(_ body: @escaping () -> Void) { followers.append(body) }

    /// Calls nobody after all.
    func dropFollowers() { followers = [] }

    var isReady: Bool { lock.withLock { phase == .ready } }

    // MARK: On the loop's thread

    /// The source has fired. A run that is nested in a step leaves it to the outer call.
    private func deliver() {
      hasNews = true
      if isCallingStep { return }
      while hasNews {
        hasNews = false
        guard let steps else { return }
        // Looked at first: all that was reported is there then.
        let isDone = lock.withLock { phase == .ended }
        call(steps.progress)
        if isDone { finish(steps) }
      }
    }

    private func finish(_ steps: Steps) {
      lock.withLock { phase = .posting }
      source?.invalidate()
      self.steps = nil
      call { steps.post(isCancelled) }
      lock.withLock { phase = .over }
      for depth in waits { loop.stopRun(at: depth) }
      let followers = followers
      self.followers = []
      for follower in followers { follower() }
    }

    private func call(_ step: () -> Void) {
      let outer = isCallingStep
      isCallingStep = true
      step()
      isCallingStep = outer
    }

    /// The loop has let go of the source, and will not call it any more.
    fileprivate func released() {
      let wasUnfinished = lock.withLock {
        if phase == .posting || phase == .over { return false }
        cancelled = true
        phase = .over
        return true
      }
      guard wasUnfinished else { return }
      let work = lock.withLock { self.work }
      work?.cancel()
      dropProgress?()
      steps = nil
      followers = []
    }

    /// Under the lock.
    private func move(from old: Phase, to new: Phase) -> Bool {
      guard phase == old else { return false }
      phase = new
      return true
    }
  }
}

/// Held by the source's handler alone.
private final class LoopTether {
  let task: GRunLoop.BackgroundTask

  init(_ task: GRunLoop.BackgroundTask) { self.task = task }

  deinit { task.released() }
}

extension GRunLoop {
  /// How many runs are in progress, and so the depth of the next one. On the loop's thread.
  var runDepth: Int { lock.withLock { activations.count } }

  /// Ends the run at a depth, and those that are nested in it no sooner than by themselves. On the loop's thread.
  func stopRun(at depth: Int) {
    // Relaxed: see its declaration. The loop is awake.
    lock.withLock { activations[depth].isStopped.store(true, ordering: .relaxed) }
  }
}
