/// The timers whose date had come when a pass looked, in the order in which they fire.
struct DueTimers: ~Copyable {
  struct Entry: BitwiseCopyable {
    /// Retained by the entry.
    let timer: Unmanaged<GRunLoop.Timer>
    /// How long ago its date was: dates of several clocks compare so.
    let lateness: Int64
  }

  private var entries = Vector<Entry>()
  /// Before this one all are taken.
  private var next = 0

  var isEmpty: Bool { next == entries.count }

  /// Takes the due ones out of a heap. One heap gives them in order.
  mutating func append(dueAt now: Int64, from heap: inout TimerHeap) {
    while let timer = heap.popDue(at: now) {
      _ = timer.retain()
      let lateness = timer._withUnsafeGuaranteedRef { timer in
        timer.becomeDue()
        return now.subtractingSaturated(timer.date)
      }
      entries.append(Entry(timer: timer, lateness: lateness))
    }
  }

  /// Brings what came from several heaps into one order.
  mutating func sort() {
    entries.sort { left, right in
      if left.lateness != right.lateness { return left.lateness > right.lateness }
      return left.timer._withUnsafeGuaranteedRef { left in
        right.timer._withUnsafeGuaranteedRef { right in left.precedes(right) }
      }
    }
  }

  mutating func removeFirst() -> GRunLoop.Timer? {
    if isEmpty {
      entries.removeAll()
      next = 0
      return nil
    }
    next += 1
    return entries[next - 1].timer.takeRetainedValue()
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
