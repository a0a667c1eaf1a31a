import CRunLoopShims

extension GRunLoop {
  /// What a date is measured by.
  public enum Timebase: UInt8, Sendable, CaseIterable {
    /// Runs while the machine runs and stops while it is suspended. (`CLOCK_MONOTONIC`)
    case monotonic
    /// Runs on while the machine is suspended. (`CLOCK_BOOTTIME`)
    case continuous
    /// The time of day; its dates follow when somebody sets the clock. (`CLOCK_REALTIME`)
    case wall
  }

  /// A point in time on one of the machine's clocks, to the nanosecond.
  ///
  /// ```swift
  /// loop.run(until: .now + .seconds(2))
  /// ```
  public struct Instant: Hashable, Sendable {
    /// The clock that this instant is read on.
    public let timebase: Timebase
    /// Nanoseconds since the clock's own zero: the machine's start, or 1970 for ``Timebase/wall``. Negative before it.
    public let nanoseconds: Int64

    /// The point so many nanoseconds after the clock's zero.
    public init(nanoseconds: Int64, on timebase: Timebase = .monotonic) {
      self.nanoseconds = nanoseconds
      self.timebase = timebase
    }

    /// This moment, on the monotonic clock.
    public static var now: Instant { now(on: .monotonic) }

    /// This moment, on a clock of choice. (`clock_gettime(2)`) On the thread of a ``GRunLoop/ManualClock``, its reading.
    public static func now(on timebase: Timebase) -> Instant {
      Instant(nanoseconds: timebase.now, on: timebase)
    }

    /// Later than everything.
    public static let distantFuture = Instant(nanoseconds: .max)

    /// Earlier than everything: a run until then handles what is ready now, and never sleeps.
    public static let distantPast = Instant(nanoseconds: .min)

    /// The instant so much later, or earlier for a negative duration. Stops at the distant future and past.
    public func advanced(by duration: Duration) -> Instant {
      let step = duration.wholeNanoseconds
      let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
      if !overflow && step != .max && step != .min { return Instant(nanoseconds: sum, on: timebase) }
      // From before the clock's zero to after it the way may be longer than 64 bits hold, and its end be in range.
      let (whole, isBeyond) = (Int128(nanoseconds) * 1_000_000_000).addingReportingOverflow(duration.attoseconds)
      let end = isBeyond ? (duration < .zero ? .min : .max) : Duration(attoseconds: whole).wholeNanoseconds
      return Instant(nanoseconds: end, on: timebase)
    }

    /// The time from this instant to another one of the same clock.
    ///
    /// - Precondition: Both are of one clock; there is no fixed distance between two clocks.
    public func duration(to other: Instant) -> Duration {
      precondition(timebase == other.timebase, "instants of two clocks have no distance: convert one of them first")
      return .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// The instant as a point on the monotonic clock, as the clocks stand now.
    var monotonic: Int64 { nanoseconds(on: .monotonic) }

    /// The instant as a point on another clock, as the clocks stand now. The distant past and future are those of every
    /// clock.
    func nanoseconds(on other: Timebase) -> Int64 {
      if timebase == other || nanoseconds == .max || nanoseconds == .min { return nanoseconds }
      // The distance of the clocks first, which is small: only the result can be out of range.
      return nanoseconds.addingSaturated(other.now.subtractingSaturated(timebase.now))
    }
  }
}

extension GRunLoop.Instant: InstantProtocol {
  /// Order on one clock. Instants of different clocks are ordered by their clocks, which means nothing.
  public static func < (left: Self, right: Self) -> Bool {
    (left.timebase.rawValue, left.nanoseconds) < (right.timebase.rawValue, right.nanoseconds)
  }
}

extension GRunLoop.Instant {
  /// The instant so much later.
  public static func + (instant: Self, duration: Duration) -> Self { instant.advanced(by: duration) }

  /// The instant so much earlier.
  public static func - (instant: Self, duration: Duration) -> Self { instant.advanced(by: .zero - duration) }

  /// The time from the right one to the left one, both of one clock.
  public static func - (left: Self, right: Self) -> Duration { right.duration(to: left) }
}

extension GRunLoop.Timebase {
  var clock: clockid_t {
    switch self {
    case .monotonic: CLOCK_MONOTONIC
    case .continuous: CLOCK_BOOTTIME
    case .wall: CLOCK_REALTIME
    }
  }

  /// This thread's reading: the kernel's, or that of a ``GRunLoop/ManualClock``.
  var now: Int64 { grl_time(clock) }
}

extension Duration {
  /// Whole nanoseconds, rounded up, so that a delay is never shorter than asked; ends at the limits of 64 bits.
  package var wholeNanoseconds: Int64 {
    // Up to 18 seconds; the general way costs as much as half of a timer's making.
    if let attoseconds = UInt64(exactly: attoseconds) {
      let (quotient, remainder) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
      return Int64(quotient) + (remainder > 0 ? 1 : 0)
    }
    let (quotient, remainder) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int64(clamping: quotient + (remainder > 0 ? 1 : 0))
  }
}

extension Int64 {
  package func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  package func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// How much greater this is than another number that is not greater: any such distance is in range.
  func distance(since other: Int64) -> UInt64 { UInt64(bitPattern: self &- other) }
}
