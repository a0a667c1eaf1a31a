import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_source_new(
  _ func: GRunLoopSourceFunc?, _ user_data: gpointer?, _ notify: GDestroyNotify?
) -> OpaquePointer? {
  guard let function = given(`func`) else { return nil }
  return makeSource(0, G_PRIORITY_DEFAULT, nil, nil, function, user_data, notify)
}

@c @implementation public func grunloop_source_new_full(
  _ order: gint, _ priority: gint, _ scheduled: GRunLoopSourceModeFunc?, _ cancelled: GRunLoopSourceModeFunc?,
  _ func: GRunLoopSourceFunc?, _ user_data: gpointer?, _ notify: GDestroyNotify?
) -> OpaquePointer? {
  guard let function = given(`func`) else { return nil }
  return makeSource(order, priority, scheduled, cancelled, function, user_data, notify)
}

private struct SourceFunctions {
  let fired: GRunLoopSourceFunc
  let scheduled: GRunLoopSourceModeFunc?
  let cancelled: GRunLoopSourceModeFunc?
}

private func makeSource(
  _ order: gint, _ priority: gint, _ scheduled: GRunLoopSourceModeFunc?, _ cancelled: GRunLoopSourceModeFunc?,
  _ fired: GRunLoopSourceFunc, _ data: gpointer?, _ notify: GDestroyNotify?
) -> OpaquePointer {
  let functions = SourceFunctions(fired: fired, scheduled: scheduled, cancelled: cancelled)
  let callback = Callback(functions, data, notify)
  typealias ModeHandler = @Sendable (GRunLoop.Source, GRunLoop, GRunLoop.Mode) -> Void
  let onScheduled: ModeHandler = { _, loop, mode in
    callback.call { RunLoopC.call($0.scheduled, $1, loop, mode, $2) }
  }
  let onCancelled: ModeHandler = { _, loop, mode in
    callback.call { RunLoopC.call($0.cancelled, $1, loop, mode, $2) }
  }
  let source = GRunLoop.Source(
    order: Int(order), priority: GRunLoop.Priority(rawValue: priority),
    onScheduled: scheduled == nil ? nil : onScheduled, onCancelled: cancelled == nil ? nil : onCancelled,
    sendableHandler: { _ in callback.call { $0.fired($1, $2) } })
  return callback.bind(to: source, .source)
}

/// Calls with the loop's handle, too.
private func call(
  _ function: GRunLoopSourceModeFunc?, _ source: OpaquePointer?, _ loop: GRunLoop, _ mode: GRunLoop.Mode,
  _ data: gpointer?
) {
  let handle = LoopHandles.retain(loop, for: .library)
  function?(source, handle, mode.rawValue, data)
  LoopHandles.release(handle, of: loop, by: .library)
}

@c @implementation public func grunloop_source_signal(_ source: OpaquePointer?) {
  RunLoopC.source(source)?.signal()
}

@c @implementation public func grunloop_source_signal_without_wake_up(_ source: OpaquePointer?) {
  RunLoopC.source(source)?.signal(wakingLoop: false)
}

@c @implementation public func grunloop_source_is_signalled(_ source: OpaquePointer?) -> gboolean {
  RunLoopC.source(source)?.isSignalled == true ? 1 : 0
}
