import CGLib

extension GRunLoop {
  /// The descriptor by which a host that is not GLib's runs this loop: an event loop such as libuv's, Qt's or the
  /// program's own `epoll_wait`. The host polls it for reading, level-triggered, beside its own ones, and calls
  /// ``iterate()`` each time that it is readable.
  ///
  /// ```swift
  /// let loop = GRunLoop.current
  /// var polled = [pollfd(fd: try loop.hostDescriptor(), events: Int16(POLLIN), revents: 0), others]
  /// while poll(&polled, 2, -1) >= 0 {
  ///   if polled[0].revents != 0 { loop.iterate() }
  ///   if polled[1].revents != 0 { serveOthers() }
  /// }
  /// ```
  ///
  /// The descriptor stands for the whole of ``context``: items in ``hostMode`` and the common modes, on the main loop
  /// Dispatch's main queue, and the sources of GLib code. It becomes readable for a call from another thread, for items
  /// that the host's own call-backs add, and after a run between two turns; while nothing is to do, it is not. Timers of
  /// the loop are exact, and GLib's time-outs come within GLib's own millisecond.
  ///
  /// One thing GLib tells nobody: that code on this thread, outside of a turn, has attached a `GSource` or moved a
  /// time-out, as `g_timeout_add` and GIO's calls do. If the host's own call-backs use GLib, have it also call
  /// ``iterate()`` before it sleeps (from a `uv_prepare_t`, or Qt's `aboutToBlock`), or ``wakeUp()`` after such a call,
  /// or let the loop live in a context made with `G_MAIN_CONTEXT_FLAGS_OWNERLESS_POLLING`.
  ///
  /// It is made at the first call, with four descriptors in all, and is the same at each. It is the loop's: do not read
  /// or close it. It ends with the loop's thread or context. From then on this thread has acquired the context
  /// (`g_main_context_acquire`), so that no other one can iterate it.
  /// (`uv_backend_fd`, `sd_event_get_fd`)
  ///
  /// - Throws: ``Failure/wrongThread`` if this is not the loop's thread, or another one has acquired the context;
  ///   ``Failure/ended``; ``Failure/forked``; or an error that says what the kernel refused.
  public func hostDescriptor() throws -> CInt {
    if let refusal = claimAsHost() { throw refusal }
    if let bell { return bell.descriptor }
    let bell = try HostBell(for: self)
    self.bell = bell
    return bell.descriptor
  }

  /// Does one turn of the loop's whole context, what is ready at all priorities that have a turn, and never waits. Then
  /// ``hostDescriptor()``, if it was asked for, tells of what comes next. On the loop's thread.
  ///
  /// More may be ready after it: then the descriptor stays readable, so that the host's own work has its turn between.
  /// A host without descriptors, that draws frames for example, calls it once a frame. To call it when nothing is ready
  /// does no harm. Inside a call-back of the loop it does a turn, too, as a host's modal dialog does.
  ///
  /// Before-waiting observers are called at its end if nothing is left to do, and after-waiting ones in the first turn
  /// that finds something: between the two the host polls.
  ///
  /// After `fork`, on another thread and once the loop has ended it is refused with one line.
  /// (`g_main_context_iteration`)
  ///
  /// - Returns: Whether anything was ready.
  @discardableResult
  public func iterate() -> Bool {
    if let refusal = claimAsHost() {
      // A child may go on polling what it shares with its parent, and must not fill the log.
      if refusal != .forked || bell?.forkWasSaid != true { diagnose("iterate() was refused: \(refusal)") }
      if refusal == .forked { bell?.forkWasSaid = true }
      return false
    }
    // What the host does meanwhile, sleep or work, is its own.
    pollEnds(isForeign: true)
    defer { pollBegins(sleeps: false) }
    guard let bell else { return g_main_context_iteration(context, 0) != 0 }
    let found = bell.look()
    if found {
      if turn.phase == .announced { hostWoke() }
      if !isForked && !bell.isClosed { g_main_context_dispatch(context) }
    }
    if mayAnnounceSleep(bell) {
      bell.isAnnouncing = true
      notify(.beforeWaiting)
      bell.isAnnouncing = false
      if !isForked { turn.phase = .announced }
    }
    if !isForked && !bell.isClosed { bell.settle() }
    return found
  }

  /// Whether observers are to be told that the host will wait. Only if nothing is ready, and not inside a run of ours,
  /// which tells them itself, nor inside such an observer.
  private func mayAnnounceSleep(_ bell: HostBell) -> Bool {
    // Relaxed: as in `notify`.
    guard observed.load(ordering: .relaxed) & Activities.waiting.rawValue != 0, turn.phase == .awake else {
      return false
    }
    return !isForked && !bell.isClosed && !bell.isAnnouncing && lock.withLock { activations.isEmpty } && !bell.look()
  }

  /// Nil if this thread may drive the loop. A context that nobody has driven yet becomes this thread's.
  package func claimAsHost() -> Failure? {
    if isForked { return .forked }
    // It has acquired the context.
    if isKnownToBeCurrent, let bell, !bell.isClosed { return nil }
    let isFree = lock.withLock {
      // Relaxed: see `isCurrent`. Under the lock: a context that is not ours to hold may go at any time.
      guard !hasEnded, thread.load(ordering: .relaxed) == 0, g_main_context_acquire(context) != 0 else { return false }
      g_main_context_release(context)
      return true
    }
    if isFree { noteThread() }
    if lock.withLock({ hasEnded }) { return .ended }
    return isCurrent ? nil : .wrongThread
  }
}
