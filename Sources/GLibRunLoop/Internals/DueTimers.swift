/// The timers whose date had come when a pass looked, in the order in which they fire.
struct DueTimers: ~Copyable {
  struct Entry: BitwiseCopyable {
    /// Retained by the entry.
    let timer: Unmanaged<GRunLoop.Timer>
    /// How long ago its date was: dates of several clocks compare so.
    let lateness: UInt64
  }

  private var entries = Vector<Entry>()
  /// Where those begin that a pass has found and not begun to fire; before that are those of the passes around it.
  private var start = 0
  /// From here on they may not be waiting any more.
  private var next = 0

  /// Whether the pass has found none.
  var isEmpty: Bool { start == entries.count }
  /// Whether some are on their way to their turn.
  var hasRest: Bool { next < entries.count }

  /// A pass begins inside a call: what is left of the one around it waits again, so that this one may find it too. The
  /// outer one will come to it, if it is due still.
  mutating func putBack(in loop: GRunLoop) {
    for index in next..<entries.count {
      entries[index].timer._withUnsafeGuaranteedRef { $0.becomeWaiting(in: loop) }
    }
    next = entries.count
  }

  /// A pass looks what is due.
  mutating func begin(in loop: GRunLoop) {
    putBack(in: loop)
    start = entries.count
  }

  /// Takes the due ones out of a heap. One heap gives them in order.
  mutating func append(dueAt now: Int64, from heap: inout TimerHeap) {
    while let timer = heap.popDue(at: now) {
      _ = timer.retain()
      let lateness = timer._withUnsafeGuaranteedRef { timer in
        timer.becomeDue()
        // The distant past is that of every clock.
        return timer.date == .min ? .max : now.distance(since: timer.date)
      }
      entries.append(Entry(timer: timer, lateness: lateness))
    }
  }

  /// Brings what came from several heaps into one order.
  mutating func sort() {
    entries.sort(from: start) { left, right in
      if left.lateness != right.lateness { return left.lateness > right.lateness }
      return left.timer._withUnsafeGuaranteedRef { left in
        right.timer._withUnsafeGuaranteedRef { right in left.precedes(right) }
      }
    }
  }

  /// The places of those that the pass has found, which it will now take.
  mutating func beginFiring() -> Range<Int> {
    defer { start = entries.count }
    return start..<entries.count
  }

  mutating func take(_ place: Int) -> GRunLoop.Timer {
    next = place + 1
    return entries[place].timer.takeRetainedValue()
  }

  /// The pass has taken all of them.
  mutating func endFiring(_ places: Range<Int>) {
    entries.removeLast(entries.count - places.lowerBound)
    start = entries.count
    next = entries.count
  }

  /// The soonest date among those that are still to fire, on this clock and in these modes.
  func soonestDate(on timebase: GRunLoop.Timebase, where includes: (GRunLoop.Timer) -> Bool) -> Int64 {
    var soonest = Int64.max
    for index in next..<entries.count {
      entries[index].timer._withUnsafeGuaranteedRef { timer in
        if timer.isDue, timer.timebase == timebase, includes(timer) { soonest = min(soonest, timer.date) }
      }
    }
    return soonest
  }
}
