import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_perform(
  _ loop: OpaquePointer?, _ func: GRunLoopFunc?, _ user_data: gpointer?, _ notify: GDestroyNotify?, _ error: ErrorPlace
) -> gboolean {
  guard let loop = RunLoopC.loop(loop), let function = given(`func`) else { return 0 }
  return reporting(to: error) {
    guard let notify else {
      if let failure = loop.failure { throw failure }
      return loop.perform(function, user_data)
    }
    let callback = Callback(function, user_data, notify)
    if let failure = loop.failure { throw failure }
    loop.perform { callback.call { function, _, data in function(data) } }
  }
}

@c @implementation public func grunloop_perform_full(
  _ loop: OpaquePointer?, _ modes: UnsafePointer<UnsafePointer<CChar>?>?, _ delay: GTimeSpan, _ order: gint,
  _ priority: gint, _ func: GRunLoopFunc?, _ user_data: gpointer?, _ notify: GDestroyNotify?,
  _ perform: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace
) -> gboolean {
  perform?.pointee = nil
  guard let loop = RunLoopC.loop(loop), let modes = list(modes), let function = given(`func`) else { return 0 }
  return reporting(to: error) {
    let callback = Callback(function, user_data, notify)
    if let failure = loop.failure { throw failure }
    let queued = loop.perform(
      inModes: modes, after: delay < 0 ? nil : Duration(span: delay), order: Int(order),
      priority: GRunLoop.Priority(rawValue: priority), { callback.call { function, _, data in function(data) } })
    perform?.pointee = HandleTable.make(QueuedPerform(queued), .perform)
  }
}

private func list(_ modes: UnsafePointer<UnsafePointer<CChar>?>?, in function: StaticString = "grunloop_perform_full")
  -> [GRunLoop.Mode]?
{
  guard var next = modes else { return [.common] }
  var list: [GRunLoop.Mode] = []
  while let name = next.pointee {
    guard let mode = mode(name, in: function) else { return nil }
    list.append(mode)
    next += 1
  }
  return require(!list.isEmpty, "modes is NULL or has one", in: function) ? list : nil
}

@c @implementation public func grunloop_perform_and_wait(
  _ loop: OpaquePointer?, _ timeout: GTimeSpan, _ func: GRunLoopFunc?, _ user_data: gpointer?, _ error: ErrorPlace
) -> gboolean {
  guard let loop = RunLoopC.loop(loop), let function = given(`func`) else { return 0 }
  let callback = Callback(function, user_data, nil)
  return reporting(to: error) {
    try loop.performAndWait(timeout: .limit(timeout)) {
      @Sendable () throws -> Void in callback.call { function, _, data in function(data) }
    }
  }
}

/// What a perform's handle stands for.
final class QueuedPerform: Sendable {
  let perform: GRunLoop.Perform
  init(_ perform: GRunLoop.Perform) { self.perform = perform }
}

@c @implementation public func grunloop_perform_cancel(_ perform: OpaquePointer?) {
  queuedPerform(perform)?.perform.cancel()
}

@c @implementation public func grunloop_perform_ref(_ perform: OpaquePointer?) -> OpaquePointer? {
  guard queuedPerform(perform) != nil else { return nil }
  HandleTable.retain(perform!, for: .program)
  return perform
}

@c @implementation public func grunloop_perform_unref(_ perform: OpaquePointer?) {
  guard queuedPerform(perform) != nil else { return }
  _ = require(HandleTable.release(perform!, by: .program), isThePrograms, in: #function)
}
