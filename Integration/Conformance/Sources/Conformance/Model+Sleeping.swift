// What ends a sleep.

extension Model {
  func signal(_ source: Int) {
    wakePort()
    guard states[source].isValid, states[source].signalled == nil else { return }
    states[source].signalled = has(.signalCountsBeforeAdding) || wasAdded.contains(source) ? next() : 0
  }

  func wakeUp() {
    wakeRequested = true
    wakePort()
  }

  func stop() {
    guard let run = runs.last else { return }
    run.isStopped = true
    wakePort()
  }

  func wakePort() { if let run = runs.last, !run.ignoresWakeUps { ports.wake() } }

  func busy(until moment: Int) { advance(to: moment) }

  func advance(to moment: Int) {
    now = max(now, moment)
    ports.advance(to: now)
  }

  func fromOutside(_ body: @escaping () -> Void) {
    isOutside = true
    body()
    isOutside = false
  }

  /// What a pass can do without the kernel's or the clock's help.
  var hasReadyWork: Bool {
    guard let run = runs.last else { return false }
    return wakeRequested || queue.contains { isFor($0, run.mode) } || items(run.mode).contains(where: isReady)
  }

  func mustNotSleep(_ run: Run) -> Bool {
    hasReadyWork || run.isStopped || isEmpty(run.mode) || run.limitMoment <= now
      || timers(run.mode).contains { !states[$0].isFiring && states[$0].date.moment <= now }
  }

  /// Whether timers are to be looked at.
  func wait(_ run: Run, _ poll: Bool, _ isTold: Bool) -> Bool {
    if has(.waitsForPorts) {
      if let port = ports.take(run.mode) { return port == .timer }
      if poll { return false }
      while true {
        sleep(run, until: ports.alarm(run.mode))
        if let port = ports.take(run.mode) { return port == .timer }
      }
    }
    wokeForNothing = false
    while !poll && !mustNotSleep(run) && !(wokeForNothing && isTold && has(.tellsOfEachWake, run)) {
      sleep(run, until: timers(run.mode).first { !states[$0].isFiring }.map { states[$0].date.moment } ?? .max)
    }
    return true
  }

  /// Until the next thing comes.
  func sleep(_ run: Run, until alarm: Int) {
    let limit = max(now, run.limitMoment)
    let date = min(alarm, limit) > Moment.end ? Int.max : min(alarm, limit)
    if let happening = stage.happening(by: date), happening < run.limitMoment {
      if happening > now { advance(to: happening + Moment.lateness) }
      stage.happen()
    } else if date == .max {
      stage.idle()
      stop()
    } else {
      advance(to: date + Moment.lateness)
      if date == limit { wakePort() }
    }
  }
}
