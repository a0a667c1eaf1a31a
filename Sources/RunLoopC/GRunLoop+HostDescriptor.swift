import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_get_host_descriptor(_ loop: OpaquePointer?, _ error: ErrorPlace) -> gint {
  guard let loop = RunLoopC.loop(loop) else { return -1 }
  var descriptor: gint = -1
  _ = reporting(to: error) { descriptor = try loop.hostDescriptor() }
  return descriptor
}

@c @implementation public func grunloop_iterate(_ loop: OpaquePointer?) -> gboolean {
  guard let loop = RunLoopC.loop(loop),
    require(loop.claimAsHost() != .wrongThread, "loop is that of the calling thread", in: #function)
  else { return 0 }
  return loop.iterate() ? 1 : 0
}
