import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_signal_source_new(
  _ signum: gint, _ priority: gint, _ func: GRunLoopSignalFunc?, _ user_data: gpointer?, _ notify: GDestroyNotify?
) -> OpaquePointer? {
  guard let function = given(`func`),
    require(GRunLoop.SignalSource.canWait(for: signum), "signum is one that GLib can wait for", in: #function)
  else { return nil }
  let callback = Callback(function, user_data, notify)
  let source = GRunLoop.SignalSource(
    signal: signum, priority: GRunLoop.Priority(rawValue: priority),
    sendableHandler: { _ in callback.call { $0($1, $2) } })
  return callback.bind(to: source, .signalSource)
}

@c @implementation public func grunloop_signal_source_get_signum(_ source: OpaquePointer?) -> gint {
  signalSource(source)?.signal ?? 0
}
