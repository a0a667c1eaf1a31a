import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_observer_new(
  _ activities: GRunLoopActivity, _ repeats: gboolean, _ order: gint, _ func: GRunLoopObserverFunc?,
  _ user_data: gpointer?, _ notify: GDestroyNotify?
) -> OpaquePointer? {
  guard let function = given(`func`) else { return nil }
  let callback = Callback(function, user_data, notify)
  let observer = GRunLoop.Observer(
    activities: GRunLoop.Activities(rawValue: UInt(activities.rawValue)), repeats: repeats != 0, order: Int(order),
    sendableHandler: { _, activity in
      callback.call { $0($1, GRunLoopActivity(rawValue: UInt32(activity.rawValue)), $2) }
    })
  return callback.bind(to: observer, .observer)
}

@c @implementation public func grunloop_observer_get_activities(_ observer: OpaquePointer?) -> GRunLoopActivity {
  GRunLoopActivity(rawValue: UInt32(truncatingIfNeeded: RunLoopC.observer(observer)?.activities.rawValue ?? 0))
}

@c @implementation public func grunloop_observer_get_repeats(_ observer: OpaquePointer?) -> gboolean {
  RunLoopC.observer(observer)?.repeats == true ? 1 : 0
}
