import GLibRunLoop

/// One thing that an instrument saw, of a size that a ring of them can hold.
struct Record: BitwiseCopyable {
  enum Kind: BitwiseCopyable, Hashable {
    case run, pass, sleep
    case call(ProbedCall.Kind)
    /// What ended a sleep, a thread that wakes a loop, records that were lost.
    case woken, wake, lost

    var isCallback: Bool {
      if case .call(let call) = self { call != .foreignWork } else { false }
    }
  }

  var kind: Kind
  /// What the kind says about it: an observer's activity, a descriptor, what woke the loop.
  var detail: UInt32 = 0
  var label = Labels.none
  var mode = Labels.none
  var thread: Int32
  /// On the kernel's monotonic clock, whatever the loop's time is.
  var start: Int64
  var duration: Int64 = 0
  /// How long after its date a timer came, or a perform after it was queued; negative if that is not known.
  var lateness: Int64 = -1
  /// A pass's number, or a wake-up's.
  var number: UInt64 = 0
  /// It goes on still.
  var isOpen = false
}

extension WakeReasons {
  static let allNames = ["timer", "perform", "signal", "descriptor", "main queue", "wakeUp", "GLib", "other"]

  var names: [String] {
    Self.allNames.indices.filter { rawValue & 1 << UInt32($0) != 0 }.map { Self.allNames[$0] }
  }
}
