import Synchronization

/// What a pass has to look at, kept beside the queues, so that the loop's thread takes the lock only where there is
/// something to find.
struct Pending: OptionSet {
  let rawValue: UInt8

  static let performs = Pending(rawValue: 1)
  static let signals = Pending(rawValue: 2)
  static let chores = Pending(rawValue: 4)
  /// `wakeUp()` was called: the next sleep is left out.
  static let wakeUp = Pending(rawValue: 8)
  /// Descriptors that are ready without the kernel telling: regular files, and closed ones.
  static let descriptors = Pending(rawValue: 16)
  /// Work of other priorities than the default. It is not the pass's: its own sources tell GLib of it.
  static let lanes = Pending(rawValue: 32)

  /// What a pass is for.
  static let queued: Pending = [.performs, .signals, .wakeUp, .descriptors]
  /// What keeps the loop from sleeping. No observer is told of chores.
  static let own: Pending = [.queued, .chores]
}

extension GRunLoop {
  // Written under the lock, in the same hold as what it tells of, so that whoever holds the lock knows all of it. The
  // loop's thread also reads without: it sees what itself wrote, and what others write it sees before it sleeps.
  // Relaxed therefore.

  var pending: Pending {
    @inline(__always) get { Pending(rawValue: pendingBits.load(ordering: .relaxed)) }
  }

  @inline(__always)
  func isPending(_ work: Pending) -> Bool { !pending.isDisjoint(with: work) }

  /// Under the lock.
  @inline(__always)
  func setPending(_ work: Pending) { pendingBits.store(pending.union(work).rawValue, ordering: .relaxed) }

  /// Under the lock.
  @inline(__always)
  func clearPending(_ work: Pending) { pendingBits.store(pending.subtracting(work).rawValue, ordering: .relaxed) }

  /// Under the lock: what there is to do when other modes are in scope, or something was taken away.
  func lookAgain() {
    var found = pending.intersection([.chores, .wakeUp])
    var soonest = Int64.max
    scope.forEach { state in
      if !state.waiting.isEmpty { found.insert(.performs) }
      if state.hasSignalled { found.insert(.signals) }
      if state.hasLaneWork { found.insert(.lanes) }
      if state.descriptors?.isAlwaysReady ?? false { found.insert(.descriptors) }
      soonest = min(soonest, state.timers.soonestDate)
    }
    pendingBits.store(found.rawValue, ordering: .relaxed)
    nextTimerDate.store(soonest, ordering: .relaxed)
  }

  /// Under the lock: a timer of the monotonic clock waits in a mode that is in scope.
  @inline(__always)
  func noteTimer(at date: Int64) {
    if date < nextTimerDate.load(ordering: .relaxed) { nextTimerDate.store(date, ordering: .relaxed) }
  }
}
