extension GRunLoop.BackgroundTask {
  /// A task of this thread's loop.
  ///
  /// - Parameters:
  ///   - modes: In which progress and post come.
  ///   - priority: When GLib lets them have their turn.
  ///   - worker: Where the background step runs.
  ///   - pre: Called by ``start()``.
  ///   - background: The work. It may block if the worker is a queue, and may await. It is given what it reports with.
  ///   - progress: Called with what was reported; never after `post`.
  ///   - post: Called once, with what the background step returned or threw.
  public convenience init<Value, Update>(
    inModes modes: [GRunLoop.Mode] = [.common], priority: GRunLoop.Priority = .default, worker: Worker = .dispatch,
    pre: @escaping () -> Void = {},
    background: sending @escaping (GRunLoop.Reporter<Update>) async throws -> sending Value,
    progress: @escaping (Update) -> Void, post: @escaping (Result<Value, any Error>) -> Void
  ) {
    let work = Work(background)
    self.init(on: .current, inModes: modes, priority: priority) { $0.steps(worker, pre, work, progress, post) }
  }

  /// A task of this thread's loop that does not tell how far it is.
  public convenience init<Value>(
    inModes modes: [GRunLoop.Mode] = [.common], priority: GRunLoop.Priority = .default, worker: Worker = .dispatch,
    pre: @escaping () -> Void = {}, background: sending @escaping () async throws -> sending Value,
    post: @escaping (Result<Value, any Error>) -> Void
  ) {
    let work = Work { (_: GRunLoop.Reporter<Never>) in try await background() }
    self.init(on: .current, inModes: modes, priority: priority) { $0.steps(worker, pre, work, { _ in }, post) }
  }

  /// A task of the main loop whose steps there are the main actor's.
  public convenience init<Value, Update>(
    inModes modes: [GRunLoop.Mode] = [.common], priority: GRunLoop.Priority = .default, worker: Worker = .dispatch,
    pre: @escaping @MainActor () -> Void = {},
    background: sending @escaping (GRunLoop.Reporter<Update>) async throws -> sending Value,
    progress: @escaping @MainActor (Update) -> Void, post: @escaping @MainActor (Result<Value, any Error>) -> Void
  ) {
    let work = Work(background)
    self.init(on: .main, inModes: modes, priority: priority) {
      $0.steps(worker, onMain(pre), work, onMain(progress), onMain(post))
    }
  }

  /// A task of the main loop whose steps there are the main actor's, and that does not tell how far it is.
  public convenience init<Value>(
    inModes modes: [GRunLoop.Mode] = [.common], priority: GRunLoop.Priority = .default, worker: Worker = .dispatch,
    pre: @escaping @MainActor () -> Void = {}, background: sending @escaping () async throws -> sending Value,
    post: @escaping @MainActor (Result<Value, any Error>) -> Void
  ) {
    let work = Work { (_: GRunLoop.Reporter<Never>) in try await background() }
    self.init(on: .main, inModes: modes, priority: priority) {
      $0.steps(worker, onMain(pre), work, { _ in }, onMain(post))
    }
  }

  private func steps<Value, Update>(
    _ worker: Worker, _ pre: @escaping () -> Void, _ work: Work<Value, Update>, _ progress: @escaping (Update) -> Void,
    _ post: @escaping (Result<Value, any Error>) -> Void
  ) -> Steps {
    let updates = Updates<Update>()
    updates.announce = { [weak self] in self?.announce() }
    return Steps(
      pre: pre,
      begin: { [unowned self] in
        Task(executorPreference: worker.executor) { [self] in
          if !isCancelled { await work.run(GRunLoop.Reporter(updates: updates)) }
          updates.close()
          end()
        }
      },
      progress: { updates.deliver(progress) },
      dropProgress: { updates.drop() },
      post: { wasCancelled in post(wasCancelled ? .failure(CancellationError()) : work.takeResult()) })
  }
}

// The main loop's thread is the main actor's.
func onMain(_ step: @escaping @MainActor () -> Void) -> () -> Void {
  { MainActor.assumeIsolated { step() } }
}

func onMain<Value>(_ step: @escaping @MainActor (Value) -> Void) -> (Value) -> Void {
  { value in
    nonisolated(unsafe) let value = value
    MainActor.assumeIsolated { step(value) }
  }
}
