/// The timers of one mode and clock that wait for their fire date, the soonest at the top.
///
/// A four-ary heap over (date, timer): its dates lie side by side, and the timers know their places, so that one
/// is moved or removed without a search. Guarded by the loop's lock.
struct TimerHeap: ~Copyable {
  private struct Entry {
    var date: Int64
    /// Retained by the mode's list of items for as long as it stands here.
    unowned(unsafe) var membership: Membership

    var timer: GRunLoop.Timer { unsafeDowncast(membership.item, to: GRunLoop.Timer.self) }
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
      var pending = entries.isEmpty ? [] : [0]
      while let index = pending.popLast() {
        let entry = entries[index]
        guard entry.date < best else { continue }
        best = min(best, entry.timer.latestDate)
        let child = index * 4 + 1
        for next in child..<max(child, min(child + 4, entries.count)) where entries[next].date < best {
          pending.append(next)
        }
      }
      cachedWakeDate = .known(best)
      return best
    }
  }

  /// Appends all that are due at `now`, in no order.
  func appendDue(at now: Int64, to due: inout [DueTimer]) {
    guard soonestDate <= now else { return }
    var pending = [0]
    while let index = pending.popLast() {
      due.append(DueTimer(timer: entries[index].timer, lateness: now.subtractingSaturated(entries[index].date)))
      let child = index * 4 + 1
      for next in child..<max(child, min(child + 4, entries.count)) where entries[next].date <= now {
        pending.append(next)
      }
    }
  }

  mutating func insert(_ membership: Membership) {
    let timer = unsafeDowncast(membership.item, to: GRunLoop.Timer.self)
    entries.append(Entry(date: timer.date, membership: membership))
    if case .known(let date) = cachedWakeDate, timer.latestDate < date { cachedWakeDate = .known(timer.latestDate) }
    siftUp(entries.count - 1)
  }

  mutating func remove(_ membership: Membership) {
    let index = membership.heapIndex
    membership.heapIndex = -1
    forget(entries[index].timer.latestDate)
    let last = entries.removeLast()
    if index < entries.count {
      entries[index] = last
      settle(index)
    }
    if entries.isEmpty { entries = [] }
  }

  /// Puts a waiting timer where its changed date belongs. `oldLatest` is what its latest date was.
  mutating func move(_ membership: Membership, from oldLatest: Int64) {
    let index = membership.heapIndex
    let timer = entries[index].timer
    forget(oldLatest)
    if case .known(let date) = cachedWakeDate, timer.latestDate < date { cachedWakeDate = .known(timer.latestDate) }
    entries[index].date = timer.date
    settle(index)
  }

  private mutating func forget(_ latest: Int64) {
    if case .known(let date) = cachedWakeDate, latest == date { cachedWakeDate = .unknown }
  }

  private mutating func settle(_ index: Int) {
    if index > 0, Self.precedes(entries[index], entries[(index - 1) / 4]) { siftUp(index) } else { siftDown(index) }
  }

  private mutating func siftUp(_ start: Int) {
    entries.withUnsafeMutableBufferPointer { entries in
      var index = start
      let entry = entries[index]
      while index > 0 {
        let parent = (index - 1) / 4
        guard Self.precedes(entry, entries[parent]) else { break }
        entries[index] = entries[parent]
        entries[index].membership.heapIndex = index
        index = parent
      }
      entries[index] = entry
      entry.membership.heapIndex = index
    }
  }

  private mutating func siftDown(_ start: Int) {
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
        entries[index] = entries[best]
        entries[index].membership.heapIndex = index
        index = best
      }
      entries[index] = entry
      entry.membership.heapIndex = index
    }
  }

  private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
    if left.date != right.date { return left.date < right.date }
    return left.timer.precedes(right.timer)
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
