import CGio
import Dispatch
import GLibRunLoop
import Synchronization

/// Awaits a pair of GIO functions, `g_…_async` and `g_…_finish`.
///
/// ```swift
/// let contents = try await withGAsyncResult { cancellable, callback, data in
///   g_file_load_contents_async(file, cancellable, callback, data)
/// } finish: { result, error in
///   var bytes: UnsafeMutablePointer<CChar>?
///   var length: gsize = 0
///   g_file_load_contents_finish(file, result, &bytes, &length, nil, error)
///   return (bytes, length)
/// }
/// ```
///
/// Both closures are called where the caller is: on its actor, and so, if that is the main actor or one that is pinned to
/// a run loop, on that loop's thread. They may use whatever the caller may, and need not be `Sendable`. The operation
/// completes on the loop that it was started on: the thread-default main context of the calling thread. A caller that is
/// on no loop, such as a plain `nonisolated` function, has its operations complete on the default context, so the main
/// loop must be turning. With `withTaskExecutorPreference(loop)` such a function is on a loop, too.
///
/// Cancelling the task cancels the operation through its `GCancellable`. Most operations then fail with
/// ``GLibError/isCancelled``; one that was done already returns what it has. In a task that was cancelled before, and
/// with a cancellable that was, nothing is started, and the error is the same. Handlers of the cancellable are called on a
/// thread of Dispatch's, which may wait for the loop. The function returns once the operation has completed, never sooner:
/// nothing is left behind that could touch what the caller frees.
///
/// But if the loop ends meanwhile, nobody completes the operation: it is cancelled, and the function throws
/// ``GLibError/loopHasEnded``, as it does at once on a loop that has ended. What the operation uses must be left to it.
///
/// - Parameters:
///   - cancellable: A `GCancellable *` of the caller's, which cancels the operation, too, and which is cancelled with the
///     task; nil for one that only this call has.
///   - isolation: The caller's. Leave it out.
///   - start: Starts the operation, and must do so: hand it the cancellable, the call-back and the data, as they are.
///   - finish: Calls the finishing function with the result and the place for its error. What it returns is the
///     caller's, as that function's documentation says: for a result that is "transfer full", the caller frees it. If
///     the error is set, what is returned here is dropped; GIO functions return nothing to be freed then.
/// - Returns: What `finish` returned.
/// - Throws: The error that the finishing function reported.
public func withGAsyncResult<Value>(
  _ cancellable: UnsafeMutablePointer<GCancellable>? = nil, isolation: isolated (any Actor)? = #isolation,
  start: (
    _ cancellable: UnsafeMutablePointer<GCancellable>, _ callback: @escaping GAsyncReadyCallback, _ data: gpointer
  ) -> Void,
  finish: (
    _ result: OpaquePointer, _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>
  ) -> Value
) async throws(GLibError) -> Value {
  let loop = GRunLoop.executing(isolation)
  if let failure = loop?.failure { throw GLibError(failure) }
  let cancellable = Cancellable(cancellable)
  if Task.isCancelled { cancellable.cancel() }
  // Not left to the operation: some do not look, and would never complete (g_subprocess_wait_async, GLib 2.74).
  var error: UnsafeMutablePointer<GError>?
  if g_cancellable_set_error_if_cancelled(cancellable.pointer, &error) != 0 { throw GLibError(taking: error!) }
  let operation = Operation()
  var witness: GRunLoop.Item?
  let result: Result
  do {
    result = try await operation.answer.wait(isolation: isolation) {
      do { witness = try loop?.tellOfEnd { operation.answer.fail(GRunLoop.Failure.ended) } } catch {
        return .refused(error)
      }
      let data = Unmanaged.passRetained(operation)
      start(cancellable.pointer, { _, result, data in Operation.completed(data!, with: result!) }, data.toOpaque())
      cancellable.isInUse()
      return .begun(callOff: {})
    } onCancel: {
      cancellable.cancelInUse()
    }
  } catch {
    // Nothing else fails it.
    cancellable.cancel()
    throw GLibError(error as! GRunLoop.Failure)
  }
  witness?.invalidate()
  defer { g_object_unref(gpointer(result.pointer)) }
  let value = finish(result.pointer, &error)
  if let error { throw GLibError(taking: error) }
  return value
}

/// An operation that is under way, and its caller. It stays for good if nobody ever completes it.
private final class Operation: Sendable {
  let answer = Suspension<Result>()

  static func completed(_ operation: gpointer, with result: OpaquePointer) {
    let operation = Unmanaged<Operation>.fromOpaque(operation).takeRetainedValue()
    guard operation.answer.claim() else { return }
    // The finishing function is called later, where the caller is; the result must still be there.
    g_object_ref(gpointer(result))
    operation.answer.give(.success(Result(pointer: result)))
  }
}

/// A `GAsyncResult *` on its way from the call-back to the caller.
private struct Result: @unchecked Sendable {
  // Used by the caller alone, after the call-back has handed it over.
  let pointer: OpaquePointer
}

/// A reference to a `GCancellable`.
///
/// A task may be cancelled at any moment. While the operation is being started that waits until it is, since some
/// operations miss a cancellation that comes before they listen for it. Later it is done on a thread of Dispatch's: the
/// one that cancels the task holds a lock of the runtime's, for which whoever resumes the task waits, and others' handlers
/// may wait for them.
private final class Cancellable: @unchecked Sendable {
  // Invariant for @unchecked: the pointer does not change, and `g_cancellable_cancel` is for all threads.

  private enum State {
    static let starting: UInt8 = 0
    static let inUse: UInt8 = 1
    static let cancelledInStart: UInt8 = 2
  }

  let pointer: UnsafeMutablePointer<GCancellable>
  private let state = Atomic(State.starting)

  init(_ given: UnsafeMutablePointer<GCancellable>?) {
    if let given { g_object_ref(given) }
    pointer = given ?? g_cancellable_new()
  }

  deinit { g_object_unref(pointer) }

  func cancel() { g_cancellable_cancel(pointer) }

  /// The operation has been started. On the caller's thread.
  func isInUse() { if !leave(State.starting, for: State.inUse) { cancel() } }

  /// The task was cancelled. Calls nobody.
  func cancelInUse() {
    if leave(State.starting, for: State.cancelledInStart) { return }
    DispatchQueue.global().async { self.cancel() }
  }

  private func leave(_ old: UInt8, for new: UInt8) -> Bool {
    // Acquiring and releasing: whoever comes second sees what the first one did before.
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
