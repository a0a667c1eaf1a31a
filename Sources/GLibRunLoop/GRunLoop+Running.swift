import CGLib

extension GRunLoop {
  /// Runs in the default mode until ``stop()``, or until that mode has nothing left to wait for. (`RunLoop.run()`)
  ///
  /// Add something first: with no source, no timer and no queued perform it returns at once. A stop that came before is
  /// not remembered. To run another mode until it is stopped, say `run(mode: mode, for: .seconds(Int.max))`.
  public func run() {
    _ = run(.default, until: .max, returnsAfterSource: false)
  }

  /// Runs in the default mode until a date. Returns sooner if the mode has nothing to wait for, or on ``stop()``.
  /// A date in the past handles what is ready now, and does not sleep. (`RunLoop.run(until:)`)
  public func run(until limit: Instant) {
    _ = run(.default, until: limit.monotonic, returnsAfterSource: false)
  }

  /// Runs in a mode until one source was handled, the date has come, or ``stop()``. Timers do not end it.
  ///
  /// - Returns: False if there was nothing to wait for in the mode, so that the loop did not run.
  ///   (`RunLoop.run(mode:before:)`)
  @discardableResult
  public func run(mode: Mode, before limit: Instant) -> Bool {
    run(mode, until: limit.monotonic, returnsAfterSource: true) != nil
  }

  /// Runs in a mode. (`CFRunLoopRunInMode`)
  ///
  /// A run in ``Mode/common``, in a mode without a name, or off the loop's thread is refused with one line that says
  /// so, and returns ``RunResult/finished``.
  ///
  /// - Parameters:
  ///   - mode: The mode; only its items fire.
  ///   - duration: How long. Zero or less is one pass without sleep, in which all that is due has its turn.
  ///   - returnAfterSourceHandled: Whether to return once a source was handled.
  /// - Returns: Why it returned. If several reasons hold: a source was handled before the time is up before a stop
  ///   before the mode is empty.
  @discardableResult
  public func run(mode: Mode, for duration: Duration, returnAfterSourceHandled: Bool = false) -> RunResult {
    let nanoseconds = duration.wholeNanoseconds
    let limit = nanoseconds <= 0 ? .min : Timebase.monotonic.now.addingSaturated(nanoseconds)
    return run(mode, until: limit, returnsAfterSource: returnAfterSourceHandled) ?? .finished
  }

  /// Ends the innermost run in progress, once, after its exit observers. From any thread. With no run in progress it
  /// does nothing, and is not remembered. (`CFRunLoopStop`)
  public func stop() {
    if refuseForked("stop()") { return }
    let wake = lock.withLock {
      guard let innermost = activations.last else { return false }
      innermost.isStopped.store(true, ordering: .relaxed)  // Relaxed: see its declaration.
      return claimWake()
    }
    if wake { signalWake() }
  }

  /// The mode of the run in progress; when GLib drives, ``hostMode`` inside a call-back, and nil outside.
  /// (`CFRunLoopCopyCurrentMode`)
  public var currentMode: Mode? {
    if isForked { return nil }
    let mode = lock.withLock { activations.last?.scope.state.mode }
    return mode ?? (isCurrent && g_main_depth() > 0 ? hostMode : nil)
  }

  /// The mode that the loop is in when GLib drives it: ``Mode/default`` unless set. Not ``Mode/common``.
  public var hostMode: Mode {
    get { isForked ? .default : lock.withLock { hostModeState.mode } }
    set {
      if refuseForked("hostMode") { return }
      if newValue == .common || newValue.rawValue.isEmpty {
        return diagnose("hostMode was not set to \"\(newValue)\": it is not the name of a mode")
      }
      let wake = lock.withLock {
        hostModeState = state(for: newValue)
        if activations.isEmpty { enter(hostModeState) }
        return claimWake()
      }
      if wake { signalWake() }
    }
  }

  /// Whether a run in a mode of the common set goes on when the loop has no item there, because sources that GLib
  /// code attached to ``context`` are reason enough. False unless set.
  public var keepAlive: Bool {
    get { !isForked && lock.withLock { keepsCommonModesAlive } }
    set {
      if refuseForked("keepAlive") { return }
      let wake = lock.withLock {
        keepsCommonModesAlive = newValue
        return claimWakeIfModeBecameEmpty()
      }
      if wake { signalWake() }
    }
  }

  /// How long the loop looks for work before it sleeps, when Swift drives. Zero unless set.
  ///
  /// To wake a thread that sleeps takes the kernel some microseconds, and tens of them where its processor sleeps, too. A
  /// loop that looks for so long first, without giving its processor away, needs no waking if something comes meanwhile,
  /// and whoever posts to it makes no system call. What it costs is a processor's time: each sleep begins with so much of
  /// it, in vain if nothing comes. It pays where answers come within some ten microseconds and there is a processor to
  /// spare. With one processor only, the thread that is to post waits for the end of the spin.
  ///
  /// What another thread gives the loop is seen at once, and what the kernel has to tell (descriptors, signals, the main
  /// queue, GLib's own sources) within two or three microseconds. The spin is part of the sleep: it lies between
  /// ``Activities/beforeWaiting`` and ``Activities/afterWaiting``, ``isWaiting`` is true, and timers, the run's limit and
  /// ``stop()`` end it; metrics count it as sleep. After it the loop sleeps as ever, until there is something.
  ///
  /// Can be set from any thread; it holds from the next sleep on. Negative is zero. While GLib drives it does nothing,
  /// since GLib's sleep is GLib's own; a run of Swift's that is nested in a call-back of GLib's spins. Under a
  /// ``ManualClock`` nothing spins.
  public var spinDuration: Duration {
    get { isForked ? .zero : .nanoseconds(lock.withLock { spinNanoseconds }) }
    set {
      if refuseForked("spinDuration") { return }
      let nanoseconds = max(0, newValue.wholeNanoseconds)
      lock.withLock { spinNanoseconds = nanoseconds }
    }
  }

  /// When the next timer of a mode is due, tolerance left aside. Nil if none waits. (`CFRunLoopGetNextTimerFireDate`)
  public func nextFireDate(in mode: Mode) -> Instant? {
    if isForked { return nil }
    return lock.withLock {
      guard modes[mode] != nil || mode == .common || commonModes.contains(mode) else { return nil }
      let scope = scope(of: state(for: mode))
      var soonest: (monotonic: Int64, instant: Instant)?
      for timebase in Timebase.allCases {
        var date = Int64.max
        scope.forEach { state in date = min(date, state.withHeap(on: timebase) { $0.soonestDate }) }
        date = min(date, dueTimers.soonestDate(on: timebase) { timer in scope.contains { timer.slots.contains($0) } })
        let instant = Instant(nanoseconds: date, on: timebase)
        let monotonic = instant.monotonic
        if date != .max, monotonic < soonest?.monotonic ?? .max { soonest = (monotonic, instant) }
      }
      return soonest?.instant
    }
  }
}
