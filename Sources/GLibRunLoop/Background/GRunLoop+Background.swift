extension GRunLoop {
  /// Does work elsewhere and awaits it, while its progress comes on the loop: a ``BackgroundTask`` for asynchronous code
  /// of the loop's thread, such as an actor's that is pinned to it.
  ///
  /// ```swift
  /// spinner.start()
  /// let picture = try await loop.background { report in
  ///   try render(scene) { report($0) }
  /// } progress: { fraction in
  ///   bar.value = fraction
  /// }
  /// spinner.stop()
  /// ```
  ///
  /// What stands before the call is the step before, what stands after it the step after. Cancelling the task cancels
  /// the work, which can ask `Task.isCancelled`, and is waited for.
  ///
  /// - Parameters:
  ///   - worker: Where the work is done.
  ///   - modes: In which progress comes.
  ///   - body: The work. It is given what it reports with. It does not begin if the task is cancelled already.
  ///   - progress: Called on the loop's thread with what was reported, in order; never after the work has returned. An
  ///     update that has not come by then is dropped.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws, or `CancellationError`; ``Failure`` if the loop cannot have its progress: then the
  ///   work did not begin. If the loop ends later, the work goes on without progress.
  /// - Precondition: The caller is on the loop's thread; for others there is
  ///   ``background(worker:inModes:_:sendableProgress:)``.
  nonisolated(nonsending) public func background<Value, Update>(
    worker: BackgroundTask.Worker = .dispatch, inModes modes: [Mode] = [.common],
    _ body: sending @escaping (Reporter<Update>) async throws -> sending Value,
    progress: @escaping (Update) -> Void
  ) async throws -> sending Value {
    if !isCurrent {
      fatalError("background work was begun off the loop's thread, to which progress belongs: use sendableProgress")
    }
    return try await background(worker, modes, Work(body), ProgressHandler(call: progress))
  }

  /// Does work elsewhere and awaits it, while its progress comes on the main actor. For ``main`` only.
  nonisolated(nonsending) public func background<Value, Update>(
    worker: BackgroundTask.Worker = .dispatch, inModes modes: [Mode] = [.common],
    _ body: sending @escaping (Reporter<Update>) async throws -> sending Value,
    progress: @escaping @MainActor (Update) -> Void
  ) async throws -> sending Value {
    requireMain("background")
    return try await background(worker, modes, Work(body), ProgressHandler(call: onMain(progress)))
  }

  /// Does work elsewhere and awaits it, from any task, while its progress comes on the loop.
  nonisolated(nonsending) public func background<Value, Update>(
    worker: BackgroundTask.Worker = .dispatch, inModes modes: [Mode] = [.common],
    _ body: sending @escaping (Reporter<Update>) async throws -> sending Value,
    sendableProgress: @escaping @Sendable (Update) -> Void
  ) async throws -> sending Value {
    try await background(worker, modes, Work(body), ProgressHandler(call: sendableProgress))
  }

  nonisolated(nonsending) private func background<Value, Update>(
    _ worker: BackgroundTask.Worker, _ modes: [Mode], _ work: Work<Value, Update>, _ progress: ProgressHandler<Update>
  ) async throws -> sending Value {
    let updates = Updates<Update>()
    let source = source(delivering: updates, to: progress)
    updates.announce = { source.signal() }
    if let failure = begin(source, inModes: modes) { throw failure }
    await withTaskCancellationHandler {
      await withTaskExecutorPreference(worker.executor) { await work.run(Reporter(updates: updates)) }
    } onCancel: {
      updates.deafen()
    }
    await updates.closeAndSettle()
    source.invalidate()
    // The worker is done with it; nobody but the caller has it now.
    nonisolated(unsafe) let value = try work.takeResult().get()
    return value
  }
}

extension GRunLoop {
  private func source<Update>(delivering updates: Updates<Update>, to progress: ProgressHandler<Update>) -> Source {
    let tether = UpdatesTether(updates)
    return Source(sendableHandler: { _ in tether.updates.deliver(progress.call) })
  }
}

/// Held by the source's handler alone: when it goes, the loop has let go of the source.
private final class UpdatesTether<Update>: Sendable {
  let updates: Updates<Update>

  init(_ updates: Updates<Update>) { self.updates = updates }

  deinit { updates.callsEnded() }
}

/// What is called on the loop's thread alone: it is Sendable, or its maker is on that thread.
private struct ProgressHandler<Update>: @unchecked Sendable {
  let call: (Update) -> Void
}
