import CGLib
import CRunLoopShims

extension GRunLoop {
  /// A clock that is moved by hand: the time of one thread and its loop, for tests.
  ///
  /// ```swift
  /// GRunLoop.withManualClock { clock in
  ///   let reminder = Reminder(every: .seconds(600))
  ///   clock.advance(by: .seconds(3599))
  ///   #expect(reminder.count == 5)
  ///   clock.advance(by: .seconds(1))
  ///   #expect(reminder.count == 6)
  /// }
  /// ```
  ///
  /// While it is on, ``Instant/now`` on its thread is its reading, and its loop takes no real time to sleep: when it
  /// has looked what is ready, and nothing is, the time moves to the loop's next date. So an hour of timers takes a
  /// moment, each fires exactly at its date, and the order is the same each time. So it is in
  /// ``advance(by:through:)`` and in every other run, whoever drives. While something is ready all the time, no time
  /// passes.
  ///
  /// It begins with the machine's readings, so that dates made before it stay ahead. Timers of all clocks follow. What
  /// does not: other threads and their clocks, time limits of threads that wait for this one, and time-outs that GLib
  /// code attached to the context; those take real time.
  ///
  /// It never comes to the distant future, and what waits for that is never due. What would take a clock so far, or
  /// further than 64 bits of nanoseconds go, takes it to 36 years before their end.
  ///
  /// For its own thread, except where said otherwise. A thread has one at a time.
  public final class ManualClock: _Concurrency.Clock, @unchecked Sendable {
    // Invariant for @unchecked: `readings` are written by the loop's thread and read atomically by all; the rest is the
    // loop's thread's.

    /// A point in time; it says itself by which clock it is measured.
    public typealias Instant = GRunLoop.Instant

    /// What goes round while the time moves.
    public enum Driver: Hashable, Sendable {
      /// A run in a mode. (``GRunLoop/run(mode:for:returnAfterSourceHandled:)``)
      case run(Mode)
      /// The context, as a GLib program iterates it. (`g_main_context_iteration`)
      case iteration
    }

    /// The loop whose time this is.
    public let loop: GRunLoop
    /// Whether a loop that has nothing to do until a date moves on to it. If not, it waits for another thread, without
    /// end and with the time standing still, and only ``advance(by:through:)`` moves the time.
    public var movesWhenIdle: Bool

    private let readings = UnsafeMutablePointer<grl_readings>.allocate(capacity: 1)
    private var stallHandler: ((String) -> Void)?
    private var isAdvancing = false
    /// Where `advance` through iterations ends; `.max` once the time is there, since a call-back may iterate further.
    private(set) var iterationLimit = Int64.max
    /// It was said that nothing will ever happen, and nothing changed: the next sleep without a date is a real one.
    private var hasReportedStall = false

    /// Begins a manual time on this thread, for its loop. It lasts until ``end()``.
    ///
    /// - Parameters:
    ///   - movesWhenIdle: See ``movesWhenIdle``.
    ///   - onStall: Called in the loop's turn when it is about to wait without a date, so that nothing will ever happen
    ///     unless another thread, a descriptor or GLib code sees to it; with a message that says what the loop has.
    ///     Without it the loop really waits; and so it does next when this returns, having neither given the loop
    ///     something to do nor stopped its run.
    /// - Precondition: The thread has none yet.
    public init(movesWhenIdle: Bool = true, onStall: ((String) -> Void)? = nil) {
      loop = .current
      self.movesWhenIdle = movesWhenIdle
      stallHandler = onStall
      readings.initialize(
        to: grl_readings(
          monotonic: Timebase.monotonic.now, continuous: Timebase.continuous.now, wall: Timebase.wall.now))
      precondition(loop.manualClock == nil, "this thread has a manual clock already: end() that first")
      loop.setManualClock(self)
      grl_thread_use_readings(readings)
    }

    deinit { readings.deallocate() }

    /// Gives the thread the machine's time back. Does nothing the second time.
    public func end() {
      guard isOn("end()") else { return }
      grl_thread_use_readings(nil)
      stallHandler = nil
      loop.setManualClock(nil)
    }

    // MARK: Reading

    /// This moment, on the monotonic clock. From any thread.
    public var now: Instant { now(on: .monotonic) }

    /// This moment, on a clock of choice. From any thread.
    public func now(on timebase: Timebase) -> Instant {
      Instant(nanoseconds: grl_readings_get(readings, timebase.clock), on: timebase)
    }

    /// The steps in which its instants are counted: one nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Suspends the task until the time has moved to a date. From any task. (``Clock/sleep(until:tolerance:)``)
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
      try await loop.clock().sleep(until: deadline, tolerance: tolerance)
    }

    // MARK: Moving

    /// Lets so much time pass; see ``advance(to:through:)``.
    public func advance(by duration: Duration, through driver: Driver = .run(.default)) {
      advance(to: now + duration, through: driver)
    }

    /// Goes round until a date, so that all that is due by then has its turn, each thing at its own date.
    ///
    /// The time stands at the date then, also if the mode has nothing to wait for; it stands earlier if the run was
    /// stopped, and later if a call-back went further. A date that has passed handles what is due now. On the way to
    /// the distant future a one-shot has its turn as on any other; a repeating timer of short interval takes its turns
    /// for 292 years, unless something stops the run.
    public func advance(to date: Instant, through driver: Driver = .run(.default)) {
      guard isOn("advance(to:)") else { return }
      let (wasAdvancing, outerLimit) = (isAdvancing, iterationLimit)
      isAdvancing = true
      defer { (isAdvancing, iterationLimit) = (wasAdvancing, outerLimit) }
      let limit = Int64.asReading(date.monotonic, after: now.nanoseconds)
      switch driver {
      case .run(let mode):
        guard loop.mayRun(in: mode) else { return }
        var result: RunResult?
        repeat {
          result = loop.run(mode, until: limit, returnsAfterSource: false)
        } while result == .timedOut
          && hasDueTimer(in: mode)
        if result != .stopped { loop.lock.withLock { move(to: limit) } }
      case .iteration:
        iterationLimit = limit
        while now.nanoseconds < limit { g_main_context_iteration(loop.context, 1) }
        iterationLimit = .max
        // What the last sleep ended for: a GLib program may need some more iterations to come to it.
        repeat {
          g_main_context_iteration(loop.context, 0)
        } while loop.turn.phase == .slept
          || hasDueTimer(in: loop.hostMode)
      }
    }

    private func hasDueTimer(in mode: Mode) -> Bool {
      loop.nextFireDate(in: mode).map { $0 <= now(on: $0.timebase) } ?? false
    }

    /// Lets so much time pass in which nothing goes round: what a call-back calls that is to have taken long.
    public func spend(_ duration: Duration) {
      guard isOn("spend(_:)") else { return }
      add(max(0, duration.wholeNanoseconds), to: Timebase.allCases)
    }

    /// Sets the time of day, as an administrator would; dates on the wall clock follow.
    public func setWallTime(_ moment: Instant) {
      precondition(moment.timebase == .wall, "the time of day is set to an instant of the wall clock")
      guard isOn("setWallTime(_:)") else { return }
      // Nor to the distant past, which is none of a clock's moments either.
      let reading = Int64.asReading(max(moment.nanoseconds, .min + 1), after: .min)
      grl_readings_set(readings, Timebase.wall.clock, reading)
    }

    /// Lets so much time pass while the machine is suspended: the monotonic clock stands still, the others go on.
    public func suspend(for duration: Duration) {
      guard isOn("suspend(for:)") else { return }
      add(max(0, duration.wholeNanoseconds), to: [.continuous, .wall])
    }

    fileprivate func add(_ nanoseconds: Int64, to clocks: [Timebase]) {
      for timebase in clocks {
        let reading = grl_readings_get(readings, timebase.clock)
        grl_readings_set(
          readings, timebase.clock, .asReading(reading.addingSaturated(nanoseconds), after: reading))
      }
    }

    private func isOn(_ call: StaticString) -> Bool {
      if loop.isCurrent && loop.manualClock === self { return true }
      // To end it again, or when its thread has ended, is nothing to complain of.
      if !loop.isCurrent { diagnose("\(call) of a manual clock was ignored: only its own thread can call it") }
      return false
    }
  }

  /// Lets this thread's loop live in a time that is moved by hand while `body` runs; see ``ManualClock``.
  ///
  /// - Parameters:
  ///   - movesWhenIdle: See ``ManualClock/movesWhenIdle``.
  ///   - onStall: See ``ManualClock/init(movesWhenIdle:onStall:)``.
  ///   - body: Called at once, with the clock.
  public static func withManualClock<Result, Failure: Error>(
    movesWhenIdle: Bool = true, onStall: ((String) -> Void)? = nil,
    _ body: (ManualClock) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let clock = ManualClock(movesWhenIdle: movesWhenIdle, onStall: onStall)
    defer { clock.end() }
    return try body(clock)
  }

  fileprivate func setManualClock(_ clock: ManualClock?) {
    // GLib's sleeps are the poll function's to tell of.
    lock.withLock {
      manualClock = clock
      countWaitingObserver(clock == nil ? -1 : 1)
    }
    doChores()
  }
}

// MARK: For the engine

extension GRunLoop.ManualClock {
  var isMoving: Bool { movesWhenIdle || isAdvancing }

  /// Whether a sleep without a date is to be reported; if not, it is to be a real one. To be asked once a sleep.
  func reportsStall() -> Bool {
    defer { hasReportedStall = false }
    return stallHandler != nil && !hasReportedStall
  }

  /// Under the lock. Never backward.
  func move(to date: Int64) {
    let distance = date.subtractingSaturated(now.nanoseconds)
    if distance > 0 { add(distance, to: GRunLoop.Timebase.allCases) }
    if iterationLimit <= date { iterationLimit = .max }
    hasReportedStall = false
  }

  /// Under the lock: what is to be called because nothing will ever happen.
  func takeStall() -> (() -> Void)? {
    guard let stallHandler else { return nil }
    return { [self] in
      stallHandler(
        """
        nothing will ever happen: the loop waits without a date. If another thread, a descriptor or GLib code is to \
        wake it, make the manual clock without onStall; else add what is missing, or stop the run. The loop has:
        \(loop.debugDescription)
        """)
      hasReportedStall = loop.lock.withLock {
        !loop.isPending(.own) && !(loop.activations.last.map(loop.isStopped) ?? false)
      }
    }
  }
}

extension Int64 {
  private static var lastReading: Int64 { .max - 1 << 60 }

  /// What a clock may show that is sent somewhere. The end of the numbers means that there is no date, and no sum may
  /// come there by chance.
  fileprivate static func asReading(_ moment: Int64, after reading: Int64) -> Int64 {
    moment == .max ? Swift.max(reading, lastReading) : moment
  }
}
