import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_add_common_mode(
  _ loop: OpaquePointer?, _ mode: UnsafePointer<CChar>?, _ error: ErrorPlace
) -> gboolean {
  guard let loop = RunLoopC.loop(loop), let mode = properMode(mode) else { return 0 }
  return reporting(to: error) {
    if let failure = loop.failure { throw failure }
    if let problem = loop.makeCommon(mode) {
      throw Refusal(description: "\"\(mode)\" was not made a common mode: \(problem)")
    }
  }
}

@c @implementation public func grunloop_dup_current_mode(_ loop: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
  guard let mode = RunLoopC.loop(loop)?.currentMode else { return nil }
  return g_strdup(mode.rawValue)
}

@c @implementation public func grunloop_dup_host_mode(_ loop: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
  guard let mode = RunLoopC.loop(loop)?.hostMode else { return nil }
  return g_strdup(mode.rawValue)
}

@c @implementation public func grunloop_set_host_mode(_ loop: OpaquePointer?, _ mode: UnsafePointer<CChar>?) {
  guard let loop = RunLoopC.loop(loop), let mode = properMode(mode) else { return }
  loop.hostMode = mode
}

@c @implementation public func grunloop_get_keep_alive(_ loop: OpaquePointer?) -> gboolean {
  RunLoopC.loop(loop)?.keepAlive == true ? 1 : 0
}

@c @implementation public func grunloop_set_keep_alive(_ loop: OpaquePointer?, _ keep_alive: gboolean) {
  RunLoopC.loop(loop)?.keepAlive = keep_alive != 0
}

@c @implementation public func grunloop_get_next_fire_date(
  _ loop: OpaquePointer?, _ mode: UnsafePointer<CChar>?, _ clock: UnsafeMutablePointer<GRunLoopClock>?,
  _ date: UnsafeMutablePointer<gint64>?
) -> gboolean {
  guard let loop = RunLoopC.loop(loop), let mode = RunLoopC.mode(mode), let instant = loop.nextFireDate(in: mode)
  else { return 0 }
  clock?.pointee = GRunLoopClock(instant.timebase)
  date?.pointee = instant.date
  return 1
}
