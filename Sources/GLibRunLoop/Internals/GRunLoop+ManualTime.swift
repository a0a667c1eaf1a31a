// A sleep under a manual clock. Both drivers first ask the kernel, without waiting, what is ready; if nothing is, the
// time moves to the date at which the loop would have woken. The dates are looked up again in the hold of the lock
// that moves the time, so that a timer which another thread has just added is not passed over.

extension GRunLoop {
  /// The loop's thread's time, from any thread.
  func now(on timebase: Timebase) -> Instant {
    if !isForked, let clock = lock.withLock({ manualClock }) { return clock.now(on: timebase) }
    return .now(on: timebase)
  }

  /// Whether the sleep that was announced takes no real time. On the loop's thread.
  func isSleptThroughByHand(until limit: Int64 = .max) -> Bool {
    guard let clock = manualClock else { return false }
    let date = min(announcedDate, limit, clock.iterationLimit)
    return date == .max ? clock.reportsStall() : clock.isMoving
  }

  /// Under the lock, when nothing is ready: the loop has slept until its next date.
  func passTime(until limit: Int64 = .max) {
    guard let clock = manualClock else { return }
    var date = min(limit, clock.iterationLimit)
    for timebase in Timebase.allCases where timebase == .monotonic || usesOtherClocks {
      date = min(date, Instant(nanoseconds: wakeDate(on: timebase), on: timebase).monotonic)
    }
    if date != .max {
      if clock.isMoving { clock.move(to: date) }
    } else if let stall = clock.takeStall() {
      appendChore(stall)
    }
  }
}
