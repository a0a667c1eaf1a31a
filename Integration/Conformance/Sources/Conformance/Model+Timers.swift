// Dates, and the timers that are due.

extension Model {
  func isTimer(_ item: Int) -> Bool {
    if case .timer = kind(item) { return true }
    return false
  }

  /// The timers of a mode in the order in which they fire.
  func timers(_ mode: Mode) -> [Int] {
    let byAdding = items(mode).filter(isTimer)
    let rank: (Int) -> (Int) = { self.has(.dateSetLastGoesBehind) ? 0 : self.order($0) }
    return byAdding.enumerated().sorted {
      let (left, right) = (states[$0.element].date, states[$1.element].date)
      return left != right ? left < right : (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }.map(\.element)
  }

  func move(_ timer: Int, to moment: Int) {
    guard states[timer].isValid else { return }
    states[timer].date = date(moment)
    if states[timer].isFiring { states[timer].wasMoved = true }
    reposition(timer)
    let isMember = members.values.contains { $0.contains { $0.item == timer } }
    if isOutside && isMember && has(.waitsForPorts) { wakePort() }
  }

  /// Its date was set.
  func reposition(_ timer: Int) {
    for mode in Mode.allCases {
      guard let index = members[mode]?.firstIndex(where: { $0.item == timer }) else { continue }
      if has(.dateSetLastGoesBehind) {
        members[mode]!.remove(at: index)
        members[mode]!.append(Member(item: timer, number: next()))
      }
      arm(mode)
    }
  }

  func arm(_ mode: Mode) {
    let first = timers(mode).first { !states[$0].isFiring }
    let date = first.map { states[$0].date }
    ports.arm(mode, date.map { ($0.moment, $0.cut) }, now)
  }

  /// True if any fired.
  @discardableResult
  func fireTimers(_ mode: Mode) -> Bool {
    let limit = now
    let due = timers(mode).filter { !states[$0].isFiring && states[$0].date.moment <= limit }
    var fired = false
    for timer in due where fire(timer, mode, limit) { fired = true }
    return fired
  }

  func fire(_ timer: Int, _ mode: Mode, _ limit: Int) -> Bool {
    let isMember =
      has(.removedIsCalled) ? members.values.contains { $0.contains { $0.item == timer } } : isInScope(timer)
    let moment = has(.pastIsNow) ? now : limit
    guard states[timer].isValid, !states[timer].isFiring, states[timer].date.moment <= moment, isMember else {
      return false
    }
    let old = states[timer].date
    states[timer].isFiring = true
    states[timer].wasMoved = false
    ports.forget(mode)
    arm(mode)
    stage.called(timer)
    guard case .timer(_, let every?, _) = kind(timer), every > 0 || !has(.zeroIntervalIsOnce) else {
      invalidate(timer)
      states[timer].isFiring = false
      return true
    }
    states[timer].isFiring = false
    guard states[timer].isValid else { return true }
    if states[timer].wasMoved {
      arm(mode)
    } else {
      var next = old
      // The shortest interval is far shorter than a moment.
      while next.moment <= now { next.moment += max(1, every * Moment.slot) }
      states[timer].date = next
      reposition(timer)
    }
    return true
  }
}
