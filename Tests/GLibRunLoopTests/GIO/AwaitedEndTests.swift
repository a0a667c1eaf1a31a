import CGio
import Dispatch
import GLibRunLoop
import RunLoopGIO
import Testing

@Suite(.patient) struct AwaitedEndTests {
  @Test(
    "C10 an awaited call whose loop ends throws, and so does one on a loop that has ended", arguments: Driver.allCases)
  func loopEnds(_ driver: Driver) async throws {
    let worker = DrivenWorker(driver)
    let actor = LoopActor(worker.loop)
    let started = AsyncStream.makeStream(of: Void.self)
    let call = Task { try await actor.run { _ in try await Self.forever { started.continuation.yield() } } }
    for await _ in started.stream { break }
    worker.finish()
    let error = await #expect(throws: GLibError.self) { try await call.value }
    #expect(error?.loopHasEnded == true)
    let later = await #expect(throws: GLibError.self) {
      try await actor.run { _ in try await Self.forever { Issue.record("it was started") } }
    }
    #expect(later?.loopHasEnded == true)
    let preferring = await Task(executorPreference: worker.loop) {
      await #expect(throws: GLibError.self) { try await Self.forever { Issue.record("it was started") } }
    }.value
    #expect(preferring?.loopHasEnded == true)
  }

  @Test("C10 the end leaves nothing in the loop, and calls leave nothing in it")
  func leavesNothing() async throws {
    try await onDrivenActor(.swift) { actor in
      let operation = StepwiseOperation()
      _ = try await operation.value { operation.complete(with: 1) }
      #expect(actor.loop.count(of: "Observer") == 0)
    }
  }

  @Test(
    "C13 a handler of the GCancellable's may wait for what the loop does, that resumes the task",
    arguments: Driver.allCases)
  func handlerWaits(_ driver: Driver) async throws {
    let waited = Log(of: Bool.self)
    try await onDrivenActor(driver) { actor in
      nonisolated(unsafe) let cancellable = g_cancellable_new()!
      defer { g_object_unref(cancellable) }
      let loop = actor.loop
      let operation = StepwiseOperation()
      let handler = Handler {
        // The call-back comes with the loop's turn and resumes the task; the loop goes on after that.
        operation.complete(with: 7)
        let done = DispatchSemaphore(value: 0)
        loop.perform(inModes: [.common], priority: .idle) { done.signal() }
        waited.append(done.wait(timeout: .now() + 60) == .success)
      }
      handler.connect(to: cancellable)
      let started = AsyncStream.makeStream(of: Void.self)
      let call = Task {
        try await actor.run { _ in
          try await operation.value(cancellable) {
            g_task_set_check_cancellable(operation.task, 0)
            started.continuation.yield()
          }
        }
      }
      for await _ in started.stream { break }
      await Task.detached { call.cancel() }.value
      let value = try await call.value
      #expect(value == 7)
      while waited.count == 0 { await Task.yield() }
    }
    #expect(waited.entries == [true])
  }

  private static func forever(
    isolation: isolated (any Actor)? = #isolation, started: () -> Void
  ) async throws(GLibError) {
    let operation = StepwiseOperation()
    _ = try await operation.value(started: started)
  }
}

/// A handler of a signal "cancelled".
private final class Handler: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func connect(to cancellable: UnsafeMutablePointer<GCancellable>) {
    let function: @convention(c) (gpointer?, gpointer?) -> Void = { _, handler in
      Unmanaged<Handler>.fromOpaque(handler!).takeUnretainedValue().body()
    }
    g_signal_connect_data(
      cancellable, "cancelled", unsafeBitCast(function, to: GCallback.self), Unmanaged.passRetained(self).toOpaque(),
      nil, GConnectFlags(rawValue: 0))
  }
}
