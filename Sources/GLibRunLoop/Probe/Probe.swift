/// What an instrument sees of one loop. `Probes` has it made when the first one looks.
///
/// The engine tells it what begins and ends, on the loop's thread and without a lock of the loop's, unless a call says
/// otherwise.
package protocol Probe: AnyObject, Sendable {
  /// Whether an instrument looks at this loop alone.
  var isWatched: Bool { get }

  /// Returns the depth, with which its end is told.
  func callBegins(_ call: ProbedCall) -> Int
  func callEnds(_ depth: Int)

  /// - Parameter isOutermost: It was called by no call-back, so that nothing that was open is so any more.
  func runBegins(in mode: GRunLoop.Mode, isOutermost: Bool) -> Int
  func runEnds(_ depth: Int)

  /// A pass ends where the next one of its run begins, or with its run.
  func passBegins(_ number: UInt64, in mode: GRunLoop.Mode, performs: Int)

  /// The kernel is asked; `sleeps` if it may have to wait.
  func pollBegins(sleeps: Bool)
  /// - Parameter isForeign: GLib will dispatch what it finds, and tell nobody.
  func pollEnds(isForeign: Bool)

  /// Under the loop's lock, after a sleep: what ended it is known.
  func woken(by reasons: @autoclosure () -> WakeReasons)

  /// GLib goes on to other sources than the engine's.
  func foreignWorkBegins()
  func foreignWorkEnds()

  /// On any thread, which wakes the loop: before the loop can know of it.
  func wakeBegins() -> ProbedWake
  func wakeEnds(_ wake: ProbedWake)

  /// An instrument was switched on or off.
  func settle()

  /// Nothing more will be told of the loop.
  func loopEnded()
}

/// A call-back, as an instrument hears of it.
package struct ProbedCall {
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// GLib dispatches sources that are none of the loop's items.
    case foreignWork
    case observer, source, timer, descriptor, foreign, perform, job, mainQueue
  }

  package let kind: Kind
  /// A number of `Labels`.
  package let label: UInt32
  package let mode: GRunLoop.Mode
  /// How long after its date a timer comes, or a perform after it was queued; negative if that is not known.
  package var lateness: Int64 = -1
  /// What the kind says about it: an observer's activity, a descriptor.
  package var detail: UInt32 = 0
}

/// A thread wakes the loop. The number is 0 if nobody is told.
package struct ProbedWake {
  package let number: UInt64
  package let start: Int64

  package init(number: UInt64, start: Int64) {
    self.number = number
    self.start = start
  }

  static let none = ProbedWake(number: 0, start: 0)
}

/// What ended a sleep.
package struct WakeReasons: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let timer = WakeReasons(rawValue: 1)
  package static let perform = WakeReasons(rawValue: 2)
  package static let signal = WakeReasons(rawValue: 4)
  package static let descriptor = WakeReasons(rawValue: 8)
  package static let mainQueue = WakeReasons(rawValue: 16)
  package static let wakeUp = WakeReasons(rawValue: 32)
  /// GLib's own sources, and what other code attached to the context.
  package static let glib = WakeReasons(rawValue: 64)
  /// A limit of the run, a stop, a change of an item.
  package static let other = WakeReasons(rawValue: 128)
}
