import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_descriptor_source_new(
  _ fd: gint, _ events: GIOCondition, _ order: gint, _ priority: gint, _ func: GRunLoopDescriptorFunc?,
  _ user_data: gpointer?, _ notify: GDestroyNotify?
) -> OpaquePointer? {
  guard let function = given(`func`), require(fd >= 0, "fd >= 0", in: #function) else { return nil }
  let callback = Callback(function, user_data, notify)
  let source = GRunLoop.DescriptorSource(
    fileDescriptor: fd, events: GRunLoop.DescriptorSource.Events(events), order: Int(order),
    priority: GRunLoop.Priority(rawValue: priority),
    sendableHandler: { _, events in callback.call { $0($1, GIOCondition(rawValue: events.rawValue), $2) } })
  return callback.bind(to: source, .descriptorSource)
}

@c @implementation public func grunloop_descriptor_source_get_fd(_ source: OpaquePointer?) -> gint {
  descriptorSource(source)?.fileDescriptor ?? -1
}

@c @implementation public func grunloop_descriptor_source_get_events(_ source: OpaquePointer?) -> GIOCondition {
  GIOCondition(rawValue: descriptorSource(source)?.events.rawValue ?? 0)
}

@c @implementation public func grunloop_descriptor_source_set_events(_ source: OpaquePointer?, _ events: GIOCondition) {
  descriptorSource(source)?.events = GRunLoop.DescriptorSource.Events(events)
}

extension GRunLoop.DescriptorSource.Events {
  /// Both are poll(2)'s bits.
  fileprivate init(_ condition: GIOCondition) { self.init(rawValue: condition.rawValue) }
}
