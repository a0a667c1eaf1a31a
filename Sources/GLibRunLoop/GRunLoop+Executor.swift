extension GRunLoop: SerialExecutor, TaskExecutor {
  /// Queues a job of Swift concurrency as a perform in the common modes; for the runtime to call.
  ///
  /// An actor is pinned to a loop by returning ``asUnownedSerialExecutor()`` from its `unownedExecutor`; a task
  /// prefers one with `Task(executorPreference: loop)`. When the loop ends, what is queued runs at its end, on its
  /// thread. What comes later goes on elsewhere: tasks on Dispatch's global queue, actors, and their isolated deinits, one
  /// job after the other on a queue of their own, on which they are isolated as before.
  public func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), isolating: true) }

  /// Queues a job of a task that prefers the loop; for the runtime to call.
  ///
  /// Both protocols name this requirement alike. What they mean differs: a task's own code is isolated to no actor, and
  /// if it were run as isolated to the loop, the runtime would queue it a second time after each wait, to leave that.
  @_implements(TaskExecutor,enqueue(_:))
  public func enqueueForTask(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), isolating: false) }

  private func enqueue(_ job: UnownedJob, isolating: Bool) {
    if enqueue(isolating ? .job(job) : .taskJob(job), rank: PerformEntry.rank(of: job)) { return }
    if isForked { fatalError("a Swift task or actor uses a run loop in a forked child: \(Failure.forked)") }
    EndedLoops.enqueue(job, of: self, isolating: isolating)
  }

  /// What an actor returns from `unownedExecutor` to live on the loop's thread. The actor must hold the loop.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// The loop as a task's preferred executor; for the runtime to call.
  public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  /// Whether the caller is on the loop's thread, and so isolated to every actor that is pinned to it. Once the loop has
  /// ended: whether it is in a job of such an actor.
  public func isIsolatingCurrentContext() -> Bool? {
    // Nil and not false, so that the runtime goes on to `checkIsolated`, which says what is wrong.
    (EndedLoops.owns(self) ? EndedLoops.isCurrent : isCurrent) ? true : nil
  }

  /// Traps off the loop's thread; for `assumeIsolated` and `preconditionIsolated`.
  public func checkIsolated() {
    if isIsolatingCurrentContext() == nil {
      fatalError("not on the thread of the run loop that the actor is pinned to: use await, or perform on that loop")
    }
  }

  /// The loop that an actor is pinned to, if it is to one.
  static func executing(_ actor: any Actor) -> GRunLoop? {
    actor.unownedExecutor.asSerialExecutor() as? GRunLoop
  }

  /// The loop that a task's code runs on: the one that its actor is pinned to, or that the task prefers. Nil on any other
  /// actor, and where it does not run, since the actor does not go by the task's preference.
  package static func executing(_ actor: (any Actor)?) -> GRunLoop? {
    if let actor, let loop = executing(actor) { return loop }
    if actor === MainActor.shared { return nil }
    let preferred = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() as? GRunLoop }
    return preferred.flatMap { $0.isCurrent || $0.failure != nil ? $0 : nil }
  }

  func runJob(_ job: UnownedJob, isolating: Bool) {
    if isolating {
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    } else {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
