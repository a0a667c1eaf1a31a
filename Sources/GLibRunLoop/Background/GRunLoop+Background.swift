extension GRunLoop {
  /// Does work elsewhere and awaits it, while its progress comes on the loop: a ``BackgroundTask`` for asynchronous code.
  ///
  /// ```swift
  /// spinner.start()
  /// let picture = try await loop.background { report in
  ///   try render(scene) { report($0) }
  /// } progress: { fraction in
  ///   print(fraction)
  /// }
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
  /// - Throws: What the work throws, or `CancellationError`.
  nonisolated(nonsending) public func background<Value, Update>(
    worker: BackgroundTask.Worker = .dispatch, inModes modes: [Mode] = [.common],
    _ body: sending @escaping (Reporter<Update>) async throws -> sending Value,
    progress: sending @escaping (Update) -> Void
  ) async throws -> sending Value {
    let updates = Updates<Update>()
    let handler = ProgressHandler(call: progress)
    let source = Source(sendableHandler: { _ in updates.deliver(handler.call) })
    updates.announce = { source.signal() }
    add(source, forModes: modes)
    let work = Work(body)
    await withTaskCancellationHandler {
      await withTaskExecutorPreference(worker.executor) { await work.run(Reporter(updates: updates)) }
    } onCancel: {
      updates.drop()
    }
    await updates.closeAndSettle()
    source.invalidate()
    // The worker is done with it; nobody but the caller has it now.
    nonisolated(unsafe) let value = try work.takeResult().get()
    return value
  }

  /// Does work elsewhere and awaits it, while its progress comes on the main actor; otherwise as the one above. For
  /// ``main`` only.
  nonisolated(nonsending) public func background<Value, Update>(
    worker: BackgroundTask.Worker = .dispatch, inModes modes: [Mode] = [.common],
    _ body: sending @escaping (Reporter<Update>) async throws -> sending Value,
    progress: @escaping @MainActor (Update) -> Void
  ) async throws -> sending Value {
    requireMain("background")
    return try await background(worker: worker, inModes: modes, body) { update in
      nonisolated(unsafe) let update = update
      MainActor.assumeIsolated { progress(update) }
    }
  }
}

/// A closure on its way to the loop's thread, by `sending`: nobody else has what it captures.
private struct ProgressHandler<Update>: @unchecked Sendable {
  let call: (Update) -> Void
}
