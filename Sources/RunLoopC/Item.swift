import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_add(
  _ loop: OpaquePointer?, _ item: gpointer?, _ mode: UnsafePointer<CChar>?, _ error: ErrorPlace
) -> gboolean {
  guard let loop = RunLoopC.loop(loop), let item = RunLoopC.item(item), let mode = RunLoopC.mode(mode) else { return 0 }
  return reporting(to: error) {
    guard let problem = loop.admit(item, to: mode) else { return }
    throw loop.failure ?? Refusal(description: "\(type(of: item)) was not added to mode \"\(mode)\": \(problem)")
  }
}

@c @implementation public func grunloop_remove(_ loop: OpaquePointer?, _ item: gpointer?, _ mode: UnsafePointer<CChar>?)
{
  guard let loop = RunLoopC.loop(loop), let item = RunLoopC.item(item), let mode = RunLoopC.mode(mode) else { return }
  loop.remove(item, forMode: mode)
}

@c @implementation public func grunloop_contains(
  _ loop: OpaquePointer?, _ item: gpointer?, _ mode: UnsafePointer<CChar>?
) -> gboolean {
  guard let loop = RunLoopC.loop(loop), let item = RunLoopC.item(item), let mode = RunLoopC.mode(mode) else { return 0 }
  return loop.contains(item, inMode: mode) ? 1 : 0
}

@c @implementation public func grunloop_item_ref(_ item: gpointer?) -> gpointer? {
  guard RunLoopC.item(item) != nil else { return nil }
  HandleTable.retain(OpaquePointer(item!), for: .program)
  return item
}

@c @implementation public func grunloop_item_unref(_ item: gpointer?) {
  guard RunLoopC.item(item) != nil else { return }
  _ = require(HandleTable.release(OpaquePointer(item!), by: .program), isThePrograms, in: #function)
}

@c @implementation public func grunloop_item_invalidate(_ item: gpointer?) { RunLoopC.item(item)?.invalidate() }

@c @implementation public func grunloop_item_is_valid(_ item: gpointer?) -> gboolean {
  RunLoopC.item(item)?.isValid == true ? 1 : 0
}

@c @implementation public func grunloop_item_ref_loop(_ item: gpointer?) -> OpaquePointer? {
  (RunLoopC.item(item)?.loop).map { LoopHandles.retain($0, for: .program) }
}

@c @implementation public func grunloop_item_get_order(_ item: gpointer?) -> gint {
  gint(RunLoopC.item(item)?.order ?? 0)
}

@c @implementation public func grunloop_item_get_priority(_ item: gpointer?) -> gint {
  RunLoopC.item(item)?.priority.rawValue ?? 0
}
