import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_run(_ loop: OpaquePointer?) { ownLoop(loop)?.run() }

@c @implementation public func grunloop_run_until(_ loop: OpaquePointer?, _ date: gint64) {
  ownLoop(loop)?.run(until: GRunLoop.Instant(date: date))
}

@c @implementation public func grunloop_run_before(
  _ loop: OpaquePointer?, _ mode: UnsafePointer<CChar>?, _ date: gint64
) -> gboolean {
  guard let loop = ownLoop(loop), let mode = properMode(mode) else { return 0 }
  return loop.run(mode: mode, before: GRunLoop.Instant(date: date)) ? 1 : 0
}

@c @implementation public func grunloop_run_in_mode(
  _ loop: OpaquePointer?, _ mode: UnsafePointer<CChar>?, _ duration: GTimeSpan,
  _ return_after_source_handled: gboolean
) -> GRunLoopRunResult {
  guard let loop = ownLoop(loop), let mode = properMode(mode) else { return GRUNLOOP_RUN_REFUSED }
  let result = loop.run(
    mode: mode, for: Duration(span: duration), returnAfterSourceHandled: return_after_source_handled != 0)
  return GRunLoopRunResult(rawValue: UInt32(result.rawValue))
}

@c @implementation public func grunloop_stop(_ loop: OpaquePointer?) { RunLoopC.loop(loop)?.stop() }

@c @implementation public func grunloop_wake_up(_ loop: OpaquePointer?) { RunLoopC.loop(loop)?.wakeUp() }

@c @implementation public func grunloop_is_waiting(_ loop: OpaquePointer?) -> gboolean {
  RunLoopC.loop(loop)?.isWaiting == true ? 1 : 0
}

@c @implementation public func grunloop_get_spin_duration(_ loop: OpaquePointer?) -> GTimeSpan {
  RunLoopC.loop(loop)?.spinDuration.span ?? 0
}

@c @implementation public func grunloop_set_spin_duration(_ loop: OpaquePointer?, _ duration: GTimeSpan) {
  RunLoopC.loop(loop)?.spinDuration = Duration(span: duration)
}
