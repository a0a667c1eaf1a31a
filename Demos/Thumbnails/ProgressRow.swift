/// What is under way, as a row that fits.
struct ProgressRow {
  let title: String
  let done: Int
  let count: Int
  /// From 0 to 1, with the parts of what is under way.
  let fraction: Double
  let spin: Int
  let stall: Duration

  private static let frames = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
  private static let eighths = Array(" ▏▎▍▌▋▊▉")

  /// - Parameter columns: How wide it may be. What does not fit is left out, the bar last but for the spinner.
  func text(columns: Int) -> (plain: String, styled: String) {
    let head = "\(Self.frames[spin % Self.frames.count]) "
    let percent = padded("\(Int(fraction * 100))", 3) + " %"
    var pieces = [percent, "\(padded("\(done)", "\(count)".count))/\(count)", "stall \(milliseconds(stall))"]
    var title = self.title + " "
    let least = 8
    func room() -> Int { columns - head.count - title.count - pieces.reduce(0) { $0 + $1.count + 2 } }
    while room() < least, let _ = pieces.popLast() {}
    if room() < least { title = "" }
    if room() < 1 { return (String(head.prefix(max(0, columns))), String(head.prefix(max(0, columns)))) }
    let bar = bar(min(40, room()))
    let tail = pieces.map { "  " + $0 }.joined()
    return (
      head + title + bar.full + bar.rest + tail,
      "\u{1B}[36m\(head)\u{1B}[0m\(title)\u{1B}[32m\(bar.full)\u{1B}[90m\(bar.rest)\u{1B}[0m\(tail)"
    )
  }

  private func bar(_ width: Int) -> (full: String, rest: String) {
    let eighths = Int(fraction * Double(width * 8))
    var full = String(repeating: "█", count: eighths / 8)
    if eighths % 8 > 0 { full.append(Self.eighths[eighths % 8]) }
    return (full, String(repeating: "░", count: width - full.count))
  }

  private func padded(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - text.count)) + text
  }
}

/// With one digit after the point.
func milliseconds(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
  return "\(tenths / 10).\(tenths % 10) ms"
}
