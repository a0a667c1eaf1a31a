extension GRunLoop: SerialExecutor, TaskExecutor {
  /// Queues a job of Swift concurrency as a perform in the common modes; for the runtime to call.
  ///
  /// An actor is pinned to a loop by returning ``asUnownedSerialExecutor()`` from its `unownedExecutor`; a task
  /// prefers one with `Task(executorPreference: loop)`. The thread must outlive them: a job for a loop that has ended
  /// has nowhere to run.
  public func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), isolating: true) }

  /// Queues a job of a task that prefers the loop; for the runtime to call.
  ///
  /// Both protocols name this requirement alike. What they mean differs: a task's own code is isolated to no actor, and
  /// if it were run as isolated to the loop, the runtime would queue it a second time after each wait, to leave that.
  @_implements(TaskExecutor,enqueue(_:))
  public func enqueueForTask(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), isolating: false) }

  private func enqueue(_ job: UnownedJob, isolating: Bool) {
    if enqueue(isolating ? .job(job) : .taskJob(job), rank: PerformEntry.rank(of: job)) { return }
    // The loop is ending, and runs the jobs that are left: one that hops first thing comes back here.
    if isKnownToBeCurrent && !isForked {
      runJob(job, isolating: isolating)
    } else {
      fatalError(
        "a Swift task or actor uses a run loop that has ended: keep its thread running until they are done, or give "
          + "them a loop that stays")
    }
  }

  /// What an actor returns from `unownedExecutor` to live on the loop's thread. The actor must hold the loop.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// The loop as a task's preferred executor; for the runtime to call.
  public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  /// Whether the caller is on the loop's thread, and so isolated to every actor that is pinned to it.
  public func isIsolatingCurrentContext() -> Bool? {
    // Nil and not false, so that the runtime goes on to `checkIsolated`, which says what is wrong.
    isCurrent ? true : nil
  }

  /// Traps off the loop's thread; for `assumeIsolated` and `preconditionIsolated`.
  public func checkIsolated() {
    if !isCurrent {
      fatalError("not on the thread of the run loop that the actor is pinned to: use await, or perform on that loop")
    }
  }

  func runJob(_ job: UnownedJob, isolating: Bool) {
    if isolating {
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    } else {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
