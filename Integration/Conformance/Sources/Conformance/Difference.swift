/// Where Core Foundation does something else than this library. The list is the whole of it: a model of the loop that
/// follows the library's rules plays each scenario as the library does, and one that follows Core Foundation's ways
/// instead at these points, and at no other, plays it as Core Foundation does.
package enum Difference: String, CaseIterable, Sendable {
  /// A block is no source: a run that returns after one goes on (P8, R2).
  case performIsNoSource
  /// A pass that handled no source goes on to sleep, and tells observers so, with timers due, performs queued or
  /// nothing left to wait for; the sleep may then be none (O4, R1, M5).
  case sleepsOnWork
  /// It sleeps until a port is ready, and serves one port a pass: a wake-up, which counts until it is taken, or the
  /// mode's timers (R1, R7, T4, M5).
  case waitsForPorts
  /// A block that a block queued may run in the same pass, and a nested run does not see what the outer one has not
  /// run yet (P1, P2, R6).
  case blocksGoOn
  /// Timers of one date fire in the order in which the dates were set; a timer's order means nothing (T4).
  case dateSetLastGoesBehind
  /// A date in the past becomes the present one (T4, T5).
  case pastIsNow
  /// What was removed, and not invalidated, during a call-out is still called in it (O3, S8, M2).
  case removedIsCalled
  /// A source that fired in a nested run, and was signalled again, fires once more in the outer pass (S1).
  case laterSignalCounts
  /// Whether a pass has handled a source is what its last source says, though that may have been invalidated (R1).
  case lastSourceDecides
  /// An item of the common set is copied into each mode, and can be taken out of one (M4).
  case commonItemsAreCopied
  /// The common set begins with the default mode alone (M4).
  case commonIsMainOnly
  /// A mode may join the common set after it ran as a private one (M6: GLib's sources may live in its context).
  case privateModeMayJoin
  /// A mode that joined the common set does not exist before something of its own is in it (M4, P1).
  case unknownModeIsEmpty
  /// Equal orders go by when each was added to this mode, not to the loop (O2, T4).
  case rankOfEachMode
  /// An observer that was added during a sleep is told of its end, even if nobody was told of its beginning (O4).
  case tellsNewcomers
  /// A signal before the source was added counts from then, not from when it was added (S3).
  case signalCountsBeforeAdding
  /// A run's time begins after its entry observers (R2).
  case limitBeginsAfterEntry
  /// A timer that repeats with an interval of zero fires once (T6).
  case zeroIntervalIsOnce
}

/// Where the loop does something else when GLib drives it than when Swift does (O5).
package enum DriverDifference: String, CaseIterable, Sendable {
  /// It goes to sleep right after work that left nothing to do. When Swift drives there is one more pass before.
  case sleepsAfterWork
  /// Observers of sleeps are told of each end of the host's poll, also of one that brought the loop nothing.
  case tellsOfEachWake
}
