import CGLib
import GLibRunLoop

// C counts in GLib's microseconds. The two ends of the number stand for forever, and for long ago.

extension Duration {
  init(span: GTimeSpan) { self = .microseconds(Int64(span)) }

  /// Nil for GRUNLOOP_FOREVER.
  static func limit(_ span: GTimeSpan) -> Duration? { span == .max ? nil : Duration(span: span) }

  /// Rounded up.
  var span: GTimeSpan {
    let (seconds, attoseconds) = components
    return GTimeSpan(seconds * 1_000_000 + (attoseconds + 999_999_999_999) / 1_000_000_000_000)
  }
}

extension GRunLoop.Instant {
  init(date: gint64, on timebase: GRunLoop.Timebase = .monotonic) {
    let (nanoseconds, overflow) = Int64(date).multipliedReportingOverflow(by: 1000)
    self.init(nanoseconds: overflow ? (date < 0 ? .min : .max) : nanoseconds, on: timebase)
  }

  /// Rounded up, so that it is never before the moment.
  var date: gint64 {
    if nanoseconds == .max || nanoseconds == .min { return gint64(nanoseconds) }
    return gint64(nanoseconds / 1000 + (nanoseconds % 1000 > 0 ? 1 : 0))
  }
}
