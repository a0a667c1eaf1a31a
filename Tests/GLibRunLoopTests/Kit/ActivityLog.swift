import GLibRunLoop

extension GRunLoop.Activities {
  /// The name of a single activity.
  var name: String {
    switch self {
    case .entry: "entry"
    case .beforeTimers: "beforeTimers"
    case .beforeSources: "beforeSources"
    case .beforeWaiting: "beforeWaiting"
    case .afterWaiting: "afterWaiting"
    case .exit: "exit"
    default: "\(rawValue)"
    }
  }
}

extension Log where Entry == String {
  /// Writes down what this thread's loop says of itself.
  @discardableResult
  func watch(
    _ activities: GRunLoop.Activities = .all, mode: GRunLoop.Mode = .default
  ) -> GRunLoop.Observer {
    let observer = GRunLoop.Observer(activities: activities) { [self] _, activity in append(activity.name) }
    GRunLoop.current.add(observer, forMode: mode)
    return observer
  }
}
