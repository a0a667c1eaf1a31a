extension GRunLoop {
  /// A clock whose sleeps are timers of a loop.
  ///
  /// ```swift
  /// try await loop.clock().sleep(for: .seconds(1), tolerance: .milliseconds(100))
  /// ```
  ///
  /// A sleep ends no sooner than its date, and at most its tolerance later because of that; sleeps and timers whose
  /// windows overlap share one wake-up. It ends while the loop runs in a common mode, whoever drives: a clock is for a
  /// loop that runs. From any task.
  public struct Clock: _Concurrency.Clock, Sendable {
    /// A point in time; it says itself by which of the machine's clocks it is measured.
    public typealias Instant = GRunLoop.Instant

    /// The loop whose timers the sleeps are.
    public let loop: GRunLoop
    /// What ``now`` is read from.
    public let timebase: Timebase

    /// A clock of a loop.
    public init(_ loop: GRunLoop, timebase: Timebase = .monotonic) {
      self.loop = loop
      self.timebase = timebase
    }

    /// This moment, as the loop's thread reads it. (`clock_gettime(2)`, or a ``GRunLoop/ManualClock``)
    public var now: Instant { loop.now(on: timebase) }

    /// The steps in which its instants are counted: one nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Suspends the task until a date, which may be one of any timebase.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; ``Failure/ended`` or ``Failure/forked`` if the
    ///   loop will not come to the date; ``Failure/refused(_:)`` if it cannot have a timer of that clock, such as when the
    ///   process may open no more descriptors.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
      let sleep = Suspension<Void>()
      try await sleep.wait {
        let timer = Self.timer(deadline, tolerance, ending: sleep)
        if let failure = loop.begin(timer, inModes: [.common], orTell: sleep.fail) { return .refused(failure) }
        return .begun { timer.invalidate() }
      }
    }

    private static func timer(_ date: Instant, _ tolerance: Duration?, ending sleep: Suspension<Void>) -> Timer {
      let tether = Tether(sleep)
      return Timer(
        fireDate: date, tolerance: tolerance ?? .zero,
        sendableHandler: { _ in if tether.suspension.claim() { tether.suspension.give(.success(())) } })
    }
  }

  /// The loop as a clock; see ``Clock``.
  public func clock(_ timebase: Timebase = .monotonic) -> Clock { Clock(self, timebase: timebase) }
}
