extension GRunLoop.BackgroundTask {
  /// A task that stands for others: it starts them, and is done after the `post` of the last.
  ///
  /// ```swift
  /// let all = GRunLoop.BackgroundTask(group: conversions, atOnce: 4) { _ in print("all done") }
  /// all.start()
  /// ```
  ///
  /// Cancelling it cancels them all; `post` gets a `CancellationError` then, after theirs. What became of each is told
  /// to its own `post`. A group of none is done at once, too. It can be waited for, and be in a group itself. A task that
  /// cannot be started, since it names no mode, is left out, and `post` gets a ``GRunLoop/Failure/refused(_:)`` that says so.
  ///
  /// - Parameters:
  ///   - tasks: Tasks of this thread's loop. Those that were started already are waited for all the same.
  ///   - limit: How many run at a time; they are started in their order.
  ///   - modes: In which post comes.
  ///   - priority: When GLib lets it have its turn.
  ///   - pre: Called by ``start()``.
  ///   - post: Called once, after the last.
  public convenience init(
    group tasks: [GRunLoop.BackgroundTask], atOnce limit: Int = .max, inModes modes: [GRunLoop.Mode] = [.common],
    priority: GRunLoop.Priority = .default, pre: @escaping () -> Void = {},
    post: @escaping (Result<Void, any Error>) -> Void
  ) {
    self.init(group: tasks, atOnce: limit, on: .current, inModes: modes, priority: priority, pre, post)
  }

  /// A group of the main loop whose steps are the main actor's.
  public convenience init(
    group tasks: [GRunLoop.BackgroundTask], atOnce limit: Int = .max, inModes modes: [GRunLoop.Mode] = [.common],
    priority: GRunLoop.Priority = .default, pre: @escaping @MainActor () -> Void = {},
    post: @escaping @MainActor (Result<Void, any Error>) -> Void
  ) {
    self.init(
      group: tasks, atOnce: limit, on: .main, inModes: modes, priority: priority, onMain(pre), onMain(post))
  }

  private convenience init(
    group tasks: [GRunLoop.BackgroundTask], atOnce limit: Int, on loop: GRunLoop, inModes modes: [GRunLoop.Mode],
    priority: GRunLoop.Priority, _ pre: @escaping () -> Void, _ post: @escaping (Result<Void, any Error>) -> Void
  ) {
    let members = tasks.filter { $0.loop === loop }
    if members.count < tasks.count {
      diagnose("\(tasks.count - members.count) background tasks of other loops were left out of a group")
    }
    let outcome = Outcome()
    self.init(on: loop, inModes: modes, priority: priority, members: members) { group in
      Steps(
        pre: pre,
        begin: { [unowned group] in
          Members(members[...], atOnce: max(1, limit), of: group, outcome).startMore()
          return nil
        },
        progress: {}, dropProgress: {},
        post: { wasCancelled in
          let failure: (any Error)? = wasCancelled ? CancellationError() : outcome.refusal
          post(failure.map { .failure($0) } ?? .success(()))
        })
    }
  }
}

/// What a group's own `post` is told. On the loop's thread.
private final class Outcome {
  /// Of the first task that could not be started.
  var refusal: GRunLoop.Failure?
}

/// The tasks of a group that has been started. On the loop's thread.
private final class Members {
  private var waiting: ArraySlice<GRunLoop.BackgroundTask>
  private var running = 0
  private let limit: Int
  private let group: GRunLoop.BackgroundTask
  private let outcome: Outcome

  init(
    _ tasks: ArraySlice<GRunLoop.BackgroundTask>, atOnce limit: Int, of group: GRunLoop.BackgroundTask,
    _ outcome: Outcome
  ) {
    waiting = tasks
    self.limit = limit
    self.group = group
    self.outcome = outcome
  }

  func startMore() {
    while running < limit, let task = waiting.popFirst() {
      if task.isOver { continue }
      running += 1
      // Before the start, in which its `post` may come already.
      task.follow { [self] in
        running -= 1
        startMore()
      }
      if task.isReady, let refusal = task.begin() {
        task.dropFollowers()
        running -= 1
        outcome.refusal = outcome.refusal ?? refusal
        diagnose("a background task was left out of its group: \(refusal)")
      }
    }
    if running == 0 { group.end() }
  }
}
