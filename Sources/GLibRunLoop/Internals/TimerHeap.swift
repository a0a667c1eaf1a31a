/// The timers of one mode and clock that wait for their fire date, the soonest at the top.
///
/// A four-ary heap over (date, timer): its dates lie side by side, and the timers know their places, so that one
/// is moved or removed without a search. Guarded by the loop's lock.
struct TimerHeap: ~Copyable {
  private struct Entry {
    var date: Int64
    /// Retained by the mode's list of items for as long as it stands here.
    var timer: Unmanaged<GRunLoop.Timer>
  }

  private enum WakeDate {
    case unknown
    case known(Int64)
  }

  private var entries: [Entry] = []
  private var cachedWakeDate = WakeDate.known(.max)

  var count: Int { entries.count }

  var soonestDate: Int64 { entries.first?.date ?? .max }

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
        best = min(best, timer.latestDate)
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

  /// Appends all that are due at `now`, in no order.
  func appendDue(at now: Int64, to due: inout [DueTimer]) {
    guard soonestDate <= now else { return }
    visit { date, timer in
      guard date <= now else { return false }
      due.append(DueTimer(timer: timer, lateness: now.subtractingSaturated(date)))
      return true
    }
  }

  /// Walks down from the top; below an entry for which `body` returns false lies nothing of interest.
  private func visit(_ body: (Int64, GRunLoop.Timer) -> Bool) {
    entries.withUnsafeBufferPointer { entries in
      func descend(_ index: Int) {
        guard entries[index].timer._withUnsafeGuaranteedRef({ body(entries[index].date, $0) }) else { return }
        let child = index * 4 + 1
        for next in child..<max(child, min(child + 4, entries.count)) { descend(next) }
      }
      if !entries.isEmpty { descend(0) }
    }
  }

  mutating func insert(_ timer: GRunLoop.Timer, of state: ModeState) {
    entries.append(Entry(date: timer.date, timer: .passUnretained(timer)))
    remember(timer.latestDate)
    siftUp(entries.count - 1, state)
  }

  mutating func remove(_ timer: GRunLoop.Timer, of state: ModeState) {
    let index = Int(timer.slots[state].heapIndex)
    timer.slots[state].heapIndex = -1
    forget(timer.latestDate)
    let last = entries.removeLast()
    if index < entries.count {
      entries[index] = last
      settle(index, state)
    }
    if entries.isEmpty && entries.capacity > 1024 { entries = [] }
  }

  /// Puts a waiting timer where its changed date belongs. `oldLatest` is what its latest date was.
  mutating func move(_ timer: GRunLoop.Timer, of state: ModeState, from oldLatest: Int64) {
    let index = Int(timer.slots[state].heapIndex)
    forget(oldLatest)
    remember(timer.latestDate)
    entries[index].date = timer.date
    settle(index, state)
  }

  private mutating func remember(_ latest: Int64) {
    if case .known(let date) = cachedWakeDate, latest < date { cachedWakeDate = .known(latest) }
  }

  private mutating func forget(_ latest: Int64) {
    if case .known(let date) = cachedWakeDate, latest == date { cachedWakeDate = .unknown }
  }

  private mutating func settle(_ index: Int, _ state: ModeState) {
    if index > 0, Self.precedes(entries[index], entries[(index - 1) / 4]) {
      siftUp(index, state)
    } else {
      siftDown(index, state)
    }
  }

  private mutating func siftUp(_ start: Int, _ state: ModeState) {
    entries.withUnsafeMutableBufferPointer { entries in
      var index = start
      let entry = entries[index]
      while index > 0 {
        let parent = (index - 1) / 4
        guard Self.precedes(entry, entries[parent]) else { break }
        Self.place(entries[parent], at: index, in: entries, state)
        index = parent
      }
      Self.place(entry, at: index, in: entries, state)
    }
  }

  private mutating func siftDown(_ start: Int, _ state: ModeState) {
    entries.withUnsafeMutableBufferPointer { entries in
      var index = start
      let entry = entries[index]
      while true {
        let child = index * 4 + 1
        guard child < entries.count else { break }
        var best = child
        for other in (child + 1)..<max(child + 1, min(child + 4, entries.count))
        where Self.precedes(entries[other], entries[best]) {
          best = other
        }
        guard Self.precedes(entries[best], entry) else { break }
        Self.place(entries[best], at: index, in: entries, state)
        index = best
      }
      Self.place(entry, at: index, in: entries, state)
    }
  }

  @inline(__always)
  private static func place(
    _ entry: Entry, at index: Int, in entries: UnsafeMutableBufferPointer<Entry>, _ state: ModeState
  ) {
    entries[index] = entry
    entry.timer._withUnsafeGuaranteedRef { $0.slots[state].heapIndex = Int32(truncatingIfNeeded: index) }
  }

  @inline(__always)
  private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
    if left.date != right.date { return left.date < right.date }
    return left.timer._withUnsafeGuaranteedRef { left in
      right.timer._withUnsafeGuaranteedRef { right in left.precedes(right) }
    }
  }
}

/// A timer whose date had come when the clock was read, and how long ago: dates of several clocks compare so.
struct DueTimer {
  let timer: GRunLoop.Timer
  let lateness: Int64

  func precedes(_ other: DueTimer) -> Bool {
    lateness != other.lateness ? lateness > other.lateness : timer.precedes(other.timer)
  }
}
