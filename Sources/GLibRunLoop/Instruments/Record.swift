/// One thing that an instrument saw, of a size that a ring of them can hold.
struct Record: BitwiseCopyable {
  var kind: Probe.Kind
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

/// What ended a sleep.
struct WakeReasons: OptionSet {
  let rawValue: UInt32

  static let timer = WakeReasons(rawValue: 1)
  static let perform = WakeReasons(rawValue: 2)
  static let signal = WakeReasons(rawValue: 4)
  static let descriptor = WakeReasons(rawValue: 8)
  static let mainQueue = WakeReasons(rawValue: 16)
  static let wakeUp = WakeReasons(rawValue: 32)
  /// GLib's own sources, and what other code attached to the context.
  static let glib = WakeReasons(rawValue: 64)
  /// A limit of the run, a stop, a change of an item.
  static let other = WakeReasons(rawValue: 128)

  static let names = ["timer", "perform", "signal", "descriptor", "main queue", "wakeUp", "GLib", "other"]

  var names: [String] { Self.names.indices.filter { rawValue & 1 << UInt32($0) != 0 }.map { Self.names[$0] } }
}
