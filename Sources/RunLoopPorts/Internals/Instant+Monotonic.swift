import GLibRunLoop

extension GRunLoop.Instant {
  /// Nanoseconds on the monotonic clock, as the clocks stand now.
  var monotonic: Int64 {
    // The distant past and future are those of every clock.
    if timebase == .monotonic || nanoseconds == .max || nanoseconds == .min { return nanoseconds }
    let now = GRunLoop.Instant.now(on: timebase)
    return (GRunLoop.Instant.now + now.duration(to: self)).nanoseconds
  }

  /// Whether the monotonic clock has come to a point of it.
  static func hasPassed(_ monotonic: Int64) -> Bool { monotonic != .max && monotonic <= now.nanoseconds }
}
