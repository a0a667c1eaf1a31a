import CGio
import RunLoopGIO

/// An operation of GIO's kind that the test itself completes: a `GTask`.
final class StepwiseOperation: @unchecked Sendable {
  // Written when the operation is started, before anyone is told of it; a task may be returned from any thread.
  private(set) var task: OpaquePointer?
  /// The context that the call-back will come on.
  var context: OpaquePointer? { g_task_get_context(task) }

  /// Awaits the operation. `started` is told when it is under way.
  func value(
    _ cancellable: UnsafeMutablePointer<GCancellable>? = nil, isolation: isolated (any Actor)? = #isolation,
    started: () -> Void, finishing: () -> Void = {}
  ) async throws(GLibError) -> Int {
    try await withGAsyncResult(cancellable) { cancellable, callback, data in
      task = g_task_new(nil, cancellable, callback, data)
      started()
    } finish: { result, error in
      finishing()
      return Int(g_task_propagate_int(result, error))
    }
  }

  /// Completes it. From any thread.
  func complete(with value: Int) {
    g_task_return_int(task, value)
    g_object_unref(gpointer(task))
  }
}
