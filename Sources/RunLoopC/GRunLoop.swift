import CGLib
import CGRunLoop
import GLibRunLoop

// The loops themselves; see the header for what each function does.

@c @implementation public func grunloop_get_main() -> OpaquePointer? {
  // Asked each time: on the first thread it may be the moment when that takes its loop.
  _ = GRunLoop.main
  return LoopHandles.main.handle
}

@c @implementation public func grunloop_get_current() -> OpaquePointer? { LoopHandles.ofThisThread() }

@c @implementation public func grunloop_ref_for_context(_ context: OpaquePointer?) -> OpaquePointer? {
  LoopHandles.retain(GRunLoop.loop(for: context), for: .program)
}

@c @implementation public func grunloop_ref(_ loop: OpaquePointer?) -> OpaquePointer? {
  guard RunLoopC.loop(loop) != nil else { return nil }
  HandleTable.retain(loop!, for: .program)
  return loop
}

@c @implementation public func grunloop_unref(_ loop: OpaquePointer?) {
  guard let object = RunLoopC.loop(loop) else { return }
  _ = require(LoopHandles.release(loop!, of: object, by: .program), isThePrograms, in: #function)
}

@c @implementation public func grunloop_get_context(_ loop: OpaquePointer?) -> OpaquePointer? {
  RunLoopC.loop(loop)?.context
}

@c @implementation public func grunloop_is_current(_ loop: OpaquePointer?) -> gboolean {
  RunLoopC.loop(loop)?.isCurrent == true ? 1 : 0
}

@c @implementation public func grunloop_to_string(_ loop: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
  guard let loop = RunLoopC.loop(loop) else { return nil }
  return g_strdup(loop.debugDescription)
}
