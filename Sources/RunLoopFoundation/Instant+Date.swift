import Foundation
import GLibRunLoop

extension GRunLoop.Instant {
  /// The moment of a date, on the wall clock: it follows when somebody sets that. Rounded up to a nanosecond; what lies
  /// beyond the years 1678 and 2262 is the clock's last or first moment.
  public init(_ date: Date) {
    let seconds = date.timeIntervalSince1970
    precondition(!seconds.isNaN, "a date that is not a number is no moment")
    self.init(nanoseconds: Int64(clampingNanosecondsOf: seconds), on: .wall)
  }
}

extension Date {
  /// The date of an instant; one that is not on the wall clock is converted as the clocks stand now. The distant past and
  /// future become Foundation's.
  public init(_ instant: GRunLoop.Instant) {
    switch instant.nanoseconds {
    case .max: self = .distantFuture
    case .min: self = .distantPast
    default:
      let (base, clock) =
        instant.timebase == .wall
        ? (0, GRunLoop.Instant(nanoseconds: 0, on: .wall))
        : (
          Double(GRunLoop.Instant.now(on: .wall).nanoseconds) / 1e9, GRunLoop.Instant.now(on: instant.timebase)
        )
      self.init(timeIntervalSince1970: base + (instant - clock) / .seconds(1))
    }
  }
}

extension Duration {
  /// So many seconds, to the nanosecond, rounded up; ends at the limits of 64 bits of nanoseconds, 292 years.
  init(clamping seconds: TimeInterval) {
    precondition(!seconds.isNaN, "a time interval that is not a number is no duration")
    self = .nanoseconds(Int64(clampingNanosecondsOf: seconds))
  }
}

extension Int64 {
  fileprivate init(clampingNanosecondsOf seconds: TimeInterval) {
    // A double holds a date to a quarter of a microsecond: seconds and the rest apart, so that no more is lost.
    guard abs(seconds) < 9.2e9 else {
      self = seconds < 0 ? .min : .max
      return
    }
    let whole = seconds.rounded(.down)
    self = Int64(whole) * 1_000_000_000 + Int64(((seconds - whole) * 1e9).rounded(.up))
  }
}

extension GRunLoop.Mode {
  /// The mode of the same name.
  public init(_ mode: RunLoop.Mode) { self.init(rawValue: mode.rawValue) }
}

extension RunLoop.Mode {
  /// The mode of the same name.
  public init(_ mode: GRunLoop.Mode) { self.init(rawValue: mode.rawValue) }
}
