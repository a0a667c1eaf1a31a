extension GRunLoop {
  /// With which a background step tells how far it is. From any thread.
  ///
  /// ```swift
  /// let conversion = GRunLoop.BackgroundTask(
  ///   background: { report in
  ///     for (index, file) in files.enumerated() {
  ///       try convert(file)
  ///       report(index + 1)
  ///     }
  ///   },
  ///   progress: { count in print("\(count) of \(files.count)") },
  ///   post: { _ in print("done") })
  /// ```
  ///
  /// At most one update waits for the loop: a newer one takes its place. So a step can report as often as it likes.
  /// Updates come in the order reported. After a cancel they are dropped; after the step's end a report is a mistake,
  /// which is ignored with a line in the log.
  public struct Reporter<Update>: Sendable {
    let updates: Updates<Update>

    /// Tells the loop.
    public func callAsFunction(_ update: sending Update) { updates.put(update) }
  }
}

/// The one update that waits for the loop, and whether more may come.
final class Updates<Update>: @unchecked Sendable {
  // Invariant for @unchecked: all variables are touched only with the lock held, but for `announce`, which is set
  // before the first report. An update belongs to whoever took it out.

  private enum Phase {
    case open
    /// Cancelled: what comes is dropped.
    case deaf
    /// The step has ended.
    case closed
  }

  private let lock = Lock()
  private var phase = Phase.open
  private var waiting: Update?
  /// How many calls with an update are in progress: one inside another, if such a call runs the loop.
  private var calls = 0
  private var closer: UnsafeContinuation<Void, Never>?
  /// Tells the loop that there is one.
  var announce: (@Sendable () -> Void)?

  /// An update, and that it belongs to whoever has it.
  private struct Taken: @unchecked Sendable {
    let update: Update?
  }

  func put(_ update: sending Update) {
    nonisolated(unsafe) let update = update
    // The one whose place it takes is freed without the lock.
    let (old, isFirst, isLate) = lock.withLock {
      guard phase == .open else { return (Taken(update: nil), false, phase == .closed) }
      defer { waiting = update }
      return (Taken(update: waiting), waiting == nil, false)
    }
    withExtendedLifetime(old) {}
    if isFirst { announce?() }
    if isLate { diagnose("progress was reported after the background step had ended; ignored") }
  }

  /// On the loop's thread: calls with the update that waits, if one does.
  func deliver(_ body: (Update) -> Void) {
    let (taken, isHeard) = lock.withLock {
      defer { waiting = nil }
      let isHeard = waiting != nil && phase != .deaf
      if isHeard { calls += 1 }
      return (Taken(update: waiting), isHeard)
    }
    guard let update = taken.update, isHeard else { return }
    body(update)
    endCalls { $0 - 1 }
  }

  /// The loop has ended: a call that it was in will not return.
  func callsEnded() { endCalls { _ in 0 } }

  private func endCalls(_ change: (Int) -> Int) {
    let closer = lock.withLock {
      calls = max(0, change(calls))
      if calls > 0 { return nil as UnsafeContinuation<Void, Never>? }
      defer { self.closer = nil }
      return self.closer
    }
    closer?.resume()
  }

  /// What comes from now on is dropped. What waits is not called with, and is freed later: this may be called with a
  /// lock of the runtime's held.
  func deafen() { lock.withLock { if phase == .open { phase = .deaf } } }

  /// What comes from now on is dropped, and so is what waits.
  func drop() { clear(.deaf, unless: .closed) }

  /// What comes from now on is a mistake. What waits may still be delivered.
  func close() { lock.withLock { phase = .closed } }

  /// Closes, drops what waits, and awaits the end of the calls that the loop is in, if it is in any.
  nonisolated(nonsending) func closeAndSettle() async {
    clear(.closed, unless: nil)
    await withUnsafeContinuation { continuation in
      let isCalling = lock.withLock {
        if calls > 0 { closer = continuation }
        return calls > 0
      }
      if !isCalling { continuation.resume() }
    }
  }

  private func clear(_ next: Phase, unless last: Phase?) {
    let old = lock.withLock {
      if phase != last { phase = next }
      defer { waiting = nil }
      return Taken(update: waiting)
    }
    withExtendedLifetime(old) {}
  }
}
