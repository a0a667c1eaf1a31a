import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_child_source_new(
  _ pid: GPid, _ priority: gint, _ func: GRunLoopChildFunc?, _ user_data: gpointer?, _ notify: GDestroyNotify?
) -> OpaquePointer? {
  guard let function = given(`func`), require(pid > 0, "pid > 0", in: #function) else { return nil }
  let callback = Callback(function, user_data, notify)
  let source = GRunLoop.ChildSource(
    pid: pid, priority: GRunLoop.Priority(rawValue: priority),
    sendableHandler: { _, status in callback.call { $0($1, status, $2) } })
  return callback.bind(to: source, .childSource)
}

@c @implementation public func grunloop_child_source_get_pid(_ source: OpaquePointer?) -> GPid {
  childSource(source)?.pid ?? 0
}
