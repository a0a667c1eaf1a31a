import GLibRunLoop

/// A record in words, for another tool's timeline.
package struct TraceMark: Sendable {
  /// The item's name, its kind and line, or what the loop does.
  package let name: String
  /// What else is known.
  package let message: String
  /// On the kernel's monotonic clock, in nanoseconds.
  package let start: Int64
  package let duration: Int64

  init(_ record: Record) {
    start = record.start
    duration = record.duration
    let label = Labels[record.label]
    name = TraceText.name(of: record, label)
    var words: [String] = []
    if record.kind.name != name { words.append(record.kind.name) }
    switch record.kind {
    case .woken: words = ["by \(WakeReasons(rawValue: record.detail).names.joined(separator: ", "))"]
    case .wake: words = ["of thread \(Int32(bitPattern: record.detail))"]
    case .lost: words = ["\(record.detail) records"]
    case .pass: words.append("number \(record.number)")
    case .call(.observer): words.append(TraceText.activity(record.detail))
    case .call(.descriptor): words.append("descriptor \(record.detail)")
    default: break
    }
    if let place = label.place {
      words.append("\(record.kind == .call(.perform) ? "queued" : "added") at \(place.text)")
    }
    if record.mode != Labels.none, let mode = Labels[record.mode].name { words.append("mode \(mode)") }
    if record.lateness >= 0 { words.append("\(record.lateness / 1000) µs late") }
    words.append("on \(ThreadNames.title(record.thread))")
    message = words.joined(separator: ", ")
  }
}

/// Hands a trace's records on as marks.
final class TraceMarks: TraceOutput {
  private let hand: @Sendable (TraceMark) -> Void

  init(_ hand: @escaping @Sendable (TraceMark) -> Void) { self.hand = hand }

  func append(_ records: [Record]) { for record in records { hand(TraceMark(record)) } }

  func close() {}

  func takeProblem() -> String? { nil }
}
