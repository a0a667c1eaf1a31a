import CRunLoopShims

/// The timers of one mode and clock that wait for their fire date, the soonest at the top.
///
/// A four-ary heap over (date, place): its dates lie side by side. Where a timer stands in it is written into a table
/// by the timer's place in the mode, so that one is moved or removed without a search, and without a look at the
/// timers that make room: with many of them each such look is a cache miss. Guarded by the loop's lock.
struct TimerHeap: ~Copyable {
  private struct Entry {
    var date: Int64
    /// The timer's place among the mode's items.
    var place: Int32
  }

  private enum WakeDate {
    case unknown
    case known(Int64)
  }

  private var entries = Vector<Entry>()
  /// By place: where in `entries` a timer stands; negative if it does not.
  private var positions = Vector<Int32>()
  /// By place: the timers, retained by the mode's table of items.
  private var timers = Vector<Unmanaged<GRunLoop.Timer>?>()
  private var cachedWakeDate = WakeDate.known(.max)

  var count: Int { entries.count }

  var soonestDate: Int64 { entries.isEmpty ? .max : entries[0].date }

  /// When the loop must wake at the latest, so that no timer here comes later than its tolerance allows.
  ///
  /// That is the earliest of all dates plus tolerance. The search leaves out what lies below an entry that is no
  /// sooner than the best one so far; all that it does visit will share this wake-up, so it costs a step a firing.
  var wakeDate: Int64 {
    mutating get {
      if case .known(let date) = cachedWakeDate { return date }
      var best = Int64.max
      visit { date, timer in
        guard date < best else { return false }
        best = min(best, timer._withUnsafeGuaranteedRef { $0.latestDate })
        return true
      }
      cachedWakeDate = .known(best)
      return best
    }
  }

  /// Whether a timer is due by `last` that is not yet at `moment`.
  func hasDate(after moment: Int64, upTo last: Int64) -> Bool {
    var found = false
    visit { date, _ in
      guard date <= last, !found else { return false }
      found = date > moment
      return true
    }
    return found
  }

  /// Walks down from the top; below an entry for which `body` returns false lies nothing of interest.
  private func visit(_ body: (Int64, Unmanaged<GRunLoop.Timer>) -> Bool) {
    func descend(_ index: Int) {
      guard body(entries[index].date, timer(at: index)) else { return }
      let child = index * 4 + 1
      for next in child..<max(child, min(child + 4, entries.count)) { descend(next) }
    }
    if !entries.isEmpty { descend(0) }
  }

  private func timer(at index: Int) -> Unmanaged<GRunLoop.Timer> {
    timers[Int(entries[index].place)].unsafelyUnwrapped
  }

  mutating func insert(_ timer: GRunLoop.Timer, at place: Int32) {
    while positions.count <= place {
      positions.append(-1)
      timers.append(nil)
    }
    timers[Int(place)] = .passUnretained(timer)
    entries.append(Entry(date: timer.date, place: place))
    remember(timer.latestDate)
    siftUp(entries.count - 1)
  }

  mutating func remove(_ timer: GRunLoop.Timer, at place: Int32) {
    let index = Int(positions[Int(place)])
    forget(timer.latestDate)
    takeOut(index)
  }

  /// Takes out the soonest timer, if it is due at `now`. Equal dates come by order, and then as they were added.
  mutating func popDue(at now: Int64) -> Unmanaged<GRunLoop.Timer>? {
    guard soonestDate <= now else { return nil }
    let timer = timer(at: 0)
    // It shares this wake-up, so its own latest date is nearly always the one that was waited for.
    cachedWakeDate = .unknown
    takeOut(0)
    // Most often it is due, too, and its memory is not in a cache; while the one before is dealt with it gets there.
    if !entries.isEmpty { grl_prefetch(self.timer(at: 0).toOpaque()) }
    return timer
  }

  private mutating func takeOut(_ index: Int) {
    positions[Int(entries[index].place)] = -1
    let last = entries.removeLast()
    if index < entries.count {
      entries[index] = last
      settle(index)
    } else if entries.isEmpty {
      cachedWakeDate = .known(.max)
      entries.removeAll()
      positions.removeAll()
      timers.removeAll()
    }
  }

  /// Puts a waiting timer where its changed date belongs. `oldLatest` is what its latest date was.
  mutating func move(_ timer: GRunLoop.Timer, at place: Int32, from oldLatest: Int64) {
    let index = Int(positions[Int(place)])
    forget(oldLatest)
    remember(timer.latestDate)
    entries[index].date = timer.date
    settle(index)
  }

  /// Whether the timer at this place waits here.
  func contains(_ place: Int32) -> Bool { place < positions.count && positions[Int(place)] >= 0 }

  private mutating func remember(_ latest: Int64) {
    if case .known(let date) = cachedWakeDate, latest < date { cachedWakeDate = .known(latest) }
  }

  private mutating func forget(_ latest: Int64) {
    if case .known(let date) = cachedWakeDate, latest == date { cachedWakeDate = .unknown }
  }

  private mutating func settle(_ index: Int) {
    if index > 0, precedes(entries[index], entries[(index - 1) / 4]) {
      siftUp(index)
    } else {
      siftDown(index)
    }
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    let entry = entries[index]
    while index > 0 {
      let parent = (index - 1) / 4
      guard precedes(entry, entries[parent]) else { break }
      place(entries[parent], at: index)
      index = parent
    }
    place(entry, at: index)
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    let entry = entries[index]
    let count = entries.count
    while true {
      let child = index * 4 + 1
      guard child < count else { break }
      let best = soonest(of: child, count)
      guard precedes(entries[best], entry) else { break }
      place(entries[best], at: index)
      index = best
    }
    place(entry, at: index)
  }

  /// The first to fire of four siblings, or of as many as there are.
  @inline(__always)
  private func soonest(of child: Int, _ count: Int) -> Int {
    var best = child
    if child + 4 <= count {
      // Chosen without a branch, which would be mispredicted at every other level; equal dates are rare.
      var date = entries[child].date
      var hasEqual = false
      for other in (child + 1)...(child + 3) {
        let otherDate = entries[other].date
        hasEqual = hasEqual || otherDate == date
        best = otherDate < date ? other : best
        date = otherDate < date ? otherDate : date
      }
      if !hasEqual { return best }
      best = child
    }
    for other in (child + 1)..<max(child + 1, min(child + 4, count)) where precedes(entries[other], entries[best]) {
      best = other
    }
    return best
  }

  @inline(__always)
  private mutating func place(_ entry: Entry, at index: Int) {
    entries[index] = entry
    positions[Int(entry.place)] = Int32(truncatingIfNeeded: index)
  }

  @inline(__always)
  private func precedes(_ left: Entry, _ right: Entry) -> Bool {
    left.date != right.date ? left.date < right.date : precedesAtSameDate(left, right)
  }

  private func precedesAtSameDate(_ left: Entry, _ right: Entry) -> Bool {
    timers[Int(left.place)].unsafelyUnwrapped._withUnsafeGuaranteedRef { left in
      timers[Int(right.place)].unsafelyUnwrapped._withUnsafeGuaranteedRef { right in left.precedes(right) }
    }
  }
}
