import GLibRunLoop

extension GRunLoop {
  /// Adds a timer to the default mode whose time begins anew each time that the loop is about to sleep: it ends a sleep,
  /// also on a machine that is so slow that a date would have passed before the loop had come to that.
  @discardableResult
  func addTimerThatEndsSleeps(
    after time: Duration = .milliseconds(5), _ handler: @escaping (Timer) -> Void
  ) -> Timer {
    let timer = Timer(fireDate: .distantFuture, interval: .seconds(1000), repeats: true) { timer in
      timer.fireDate = .distantFuture
      handler(timer)
    }
    let start = Observer(activities: .beforeWaiting, order: .max) { observer, _ in
      if timer.isValid { timer.fireDate = .now + time } else { observer.invalidate() }
    }
    add(timer, forMode: .default)
    add(start, forMode: .default)
    return timer
  }
}
