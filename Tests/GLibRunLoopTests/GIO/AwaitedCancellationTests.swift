import CGio
import RunLoopGIO
import Testing

/// Each waits for a process that would outlast every test.
@Suite struct AwaitedCancellationTests {
  @Test("C7 cancelling the task cancels the operation", arguments: Driver.allCases)
  func cancelledTask(_ driver: Driver) async throws {
    let error = try await onDrivenActor(driver) { actor in
      let started = AsyncStream.makeStream(of: Void.self)
      let waiting = Task { try await actor.run { _ in try await Self.outlast { started.continuation.yield() } } }
      for await _ in started.stream { break }
      waiting.cancel()
      return await #expect(throws: GLibError.self) { try await waiting.value }
    }
    #expect(error?.isCancelled == true)
  }

  @Test("C7 in a task that was cancelled before, nothing is started", arguments: Driver.allCases)
  func cancelledBefore(_ driver: Driver) async throws {
    let error = await #expect(throws: GLibError.self) {
      try await onDrivenActor(driver) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        try await Self.outlast { Issue.record("it was started") }
      }
    }
    #expect(error?.isCancelled == true)
  }

  @Test("C7 a task that is cancelled while the operation is being started ends it, too", arguments: Driver.allCases)
  func cancelledInStart(_ driver: Driver) async throws {
    let error = await #expect(throws: GLibError.self) {
      try await onDrivenActor(driver) { _ in
        try await Self.outlast(starting: { withUnsafeCurrentTask { $0?.cancel() } })
      }
    }
    #expect(error?.isCancelled == true)
  }

  @Test("C7 the caller's GCancellable cancels it, and is cancelled with the task", arguments: [false, true])
  func ownCancellable(_ byTask: Bool) async throws {
    nonisolated(unsafe) let cancellable = g_cancellable_new()!
    defer { g_object_unref(cancellable) }
    let error = try await onDrivenActor(.glib) { actor in
      let started = AsyncStream.makeStream(of: Void.self)
      let waiting = Task {
        try await actor.run { _ in try await Self.outlast(cancellable) { started.continuation.yield() } }
      }
      for await _ in started.stream { break }
      if byTask { waiting.cancel() } else { g_cancellable_cancel(cancellable) }
      return await #expect(throws: GLibError.self) { try await waiting.value }
    }
    #expect(error?.isCancelled == true)
    #expect(g_cancellable_is_cancelled(cancellable) != 0)
  }

  @Test("C7 an operation that has completed keeps its value, though the task is cancelled then")
  func cancelledLate() async throws {
    let value = try await onDrivenActor(.swift) { _ in
      let operation = StepwiseOperation()
      return try await operation.value {
        // A task that has its value already does not look at its cancellable any more.
        g_task_set_check_cancellable(operation.task, 0)
        operation.complete(with: 3)
      } finishing: {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    #expect(value == 3)
  }

  private static func outlast(
    _ cancellable: UnsafeMutablePointer<GCancellable>? = nil, isolation: isolated (any Actor)? = #isolation,
    starting: () -> Void = {}, started: () -> Void = {}
  ) async throws(GLibError) {
    let process = startProcess(["sleep", "1000"])
    defer {
      g_subprocess_force_exit(process)
      g_object_unref(gpointer(process))
    }
    try await withGAsyncResult(cancellable) { cancellable, callback, data in
      starting()
      g_subprocess_wait_async(process, cancellable, callback, data)
      started()
    } finish: { result, error in
      _ = g_subprocess_wait_finish(process, result, error)
    }
  }
}

/// A process whose standard input and output are pipes.
func startProcess(_ arguments: [String]) -> OpaquePointer {
  var vector = arguments.map { UnsafePointer(strdup($0)) } + [nil]
  defer { vector.forEach { free(UnsafeMutableRawPointer(mutating: $0)) } }
  let flags = GSubprocessFlags(
    rawValue: G_SUBPROCESS_FLAGS_STDIN_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue)
  var error: UnsafeMutablePointer<GError>?
  guard let process = g_subprocess_newv(&vector, flags, &error) else {
    fatalError("\(arguments[0]) cannot be started: \(GLibError(taking: error!))")
  }
  return process
}
