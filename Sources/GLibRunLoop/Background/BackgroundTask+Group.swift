extension GRunLoop.BackgroundTask {
  /// A task that stands for others: it starts them, and is done after the `post` of the last.
  ///
  /// ```swift
  /// let all = GRunLoop.BackgroundTask(group: conversions, atOnce: 4) { _ in print("all done") }
  /// all.start()
  /// ```
  ///
  /// Cancelling it cancels them all; `post` gets a `CancellationError` then, after theirs. What became of each is told
  /// to its own `post`. A group of none is done at once, too. It can be waited for, and be in a group itself.
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
    self.init(on: loop, inModes: modes, priority: priority, members: members) { group in
      Steps(
        pre: pre,
        begin: { [unowned group] in
          Members(members[...], atOnce: max(1, limit), of: group).startMore()
          return nil
        },
        progress: {}, dropProgress: {},
        post: { wasCancelled in post(wasCancelled ? .failure(CancellationError()) : .success(())) })
    }
  }
}

/// The tasks of a group that has been started. On the loop's thread.
private final class Members {
  private var waiting: ArraySlice<GRunLoop.BackgroundTask>
  private var running = 0
  private let limit: Int
  private let group: GRunLoop.BackgroundTask

  init(_ tasks: ArraySlice<GRunLoop.BackgroundTask>, atOnce limit: Int, of group: GRunLoop.BackgroundTask) {
    waiting = tasks
    self.limit = limit
    self.group = group
  }

  func startMore() {
    while running < limit, let task = waiting.popFirst() {
      if task.isOver { continue }
      running += 1
      task.follow { [self] in
        running -= 1
        startMore()
      }
      if task.isReady { task.start() }
    }
    if running == 0 { group.end() }
  }
}
