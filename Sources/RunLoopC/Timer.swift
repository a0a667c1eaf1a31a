import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_timer_new(
  _ interval: GTimeSpan, _ repeats: gboolean, _ func: GRunLoopTimerFunc?, _ user_data: gpointer?,
  _ notify: GDestroyNotify?
) -> OpaquePointer? {
  guard let function = given(`func`) else { return nil }
  let callback = Callback(function, user_data, notify)
  let timer = GRunLoop.Timer(
    interval: Duration(span: interval), repeats: repeats != 0,
    sendableHandler: { _ in callback.call { $0($1, $2) } })
  return callback.bind(to: timer, .timer)
}

@c @implementation public func grunloop_timer_new_full(
  _ clock: GRunLoopClock, _ fire_date: gint64, _ interval: GTimeSpan, _ repeats: gboolean, _ tolerance: GTimeSpan,
  _ order: gint, _ priority: gint, _ func: GRunLoopTimerFunc?, _ user_data: gpointer?, _ notify: GDestroyNotify?
) -> OpaquePointer? {
  guard let function = given(`func`) else { return nil }
  let timebase = GRunLoop.Timebase(clock)
  guard require(timebase != nil, "clock is a GRunLoopClock", in: #function),
    require(tolerance >= 0, "tolerance >= 0", in: #function)
  else { return nil }
  let callback = Callback(function, user_data, notify)
  // Other dates before the clock's zero are dates like any other: an hour ago, on a machine that has just started.
  let date =
    fire_date == -1
    ? GRunLoop.Instant.now(on: timebase!) + max(.zero, Duration(span: interval))
    : GRunLoop.Instant(date: fire_date, on: timebase!)
  let timer = GRunLoop.Timer(
    fireDate: date, interval: Duration(span: interval), repeats: repeats != 0, tolerance: Duration(span: tolerance),
    order: Int(order), priority: GRunLoop.Priority(rawValue: priority),
    sendableHandler: { _ in callback.call { $0($1, $2) } })
  return callback.bind(to: timer, .timer)
}

@c @implementation public func grunloop_timer_get_clock(_ timer: OpaquePointer?) -> GRunLoopClock {
  GRunLoopClock(RunLoopC.timer(timer)?.fireDate.timebase ?? .monotonic)
}

@c @implementation public func grunloop_timer_get_fire_date(_ timer: OpaquePointer?) -> gint64 {
  RunLoopC.timer(timer)?.fireDate.date ?? 0
}

@c @implementation public func grunloop_timer_set_fire_date(_ timer: OpaquePointer?, _ fire_date: gint64) {
  guard let timer = RunLoopC.timer(timer) else { return }
  timer.fireDate = GRunLoop.Instant(date: fire_date, on: timer.fireDate.timebase)
}

@c @implementation public func grunloop_timer_get_interval(_ timer: OpaquePointer?) -> GTimeSpan {
  RunLoopC.timer(timer)?.interval.span ?? 0
}

@c @implementation public func grunloop_timer_get_repeats(_ timer: OpaquePointer?) -> gboolean {
  RunLoopC.timer(timer)?.repeats == true ? 1 : 0
}

@c @implementation public func grunloop_timer_get_tolerance(_ timer: OpaquePointer?) -> GTimeSpan {
  RunLoopC.timer(timer)?.tolerance.span ?? 0
}

@c @implementation public func grunloop_timer_set_tolerance(_ timer: OpaquePointer?, _ tolerance: GTimeSpan) {
  guard let timer = RunLoopC.timer(timer), require(tolerance >= 0, "tolerance >= 0", in: #function) else { return }
  timer.tolerance = Duration(span: tolerance)
}

@c @implementation public func grunloop_timer_fire(_ timer: OpaquePointer?) {
  guard let timer = RunLoopC.timer(timer),
    require(timer.loop?.isCurrent != false, "the timer's loop is that of the calling thread", in: #function)
  else { return }
  timer.fire()
}

extension GRunLoop.Timebase {
  /// Nil for what is no clock.
  init?(_ clock: GRunLoopClock) {
    switch clock {
    case GRUNLOOP_CLOCK_MONOTONIC: self = .monotonic
    case GRUNLOOP_CLOCK_CONTINUOUS: self = .continuous
    case GRUNLOOP_CLOCK_WALL: self = .wall
    default: return nil
    }
  }
}

extension GRunLoopClock {
  init(_ timebase: GRunLoop.Timebase) {
    switch timebase {
    case .monotonic: self = GRUNLOOP_CLOCK_MONOTONIC
    case .continuous: self = GRUNLOOP_CLOCK_CONTINUOUS
    case .wall: self = GRUNLOOP_CLOCK_WALL
    }
  }
}
