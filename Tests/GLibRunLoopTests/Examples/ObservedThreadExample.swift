import GLibRunLoop

/// A thread that looks on while its own loop turns.
enum ObservedThread {
  /// The thread's main: runs the loop ten times, for a second each.
  static func main(
    observed: @escaping (GRunLoop.Activities) -> Void,
    fired: @escaping () -> Void
  ) {
    let loop = GRunLoop.current
    let observer = GRunLoop.Observer(activities: .all) { _, activity in
      observed(activity)
    }
    loop.add(observer, forMode: .default)
    // Something to run for: observers alone are no reason.
    let timer = GRunLoop.Timer(interval: .milliseconds(100), repeats: true) { _ in
      fired()
    }
    loop.add(timer, forMode: .default)
    for _ in 1...10 {
      loop.run(until: .now + .seconds(1))
    }
    timer.invalidate()
    observer.invalidate()
  }
}
