import GLibRunLoop

/// How much came, in all and in the last seconds.
struct Rates {
  private static let span = 20
  private static let averaged = 5

  private(set) var lines = 0
  private let begin = GRunLoop.Instant.now
  /// One for each of the last seconds, the present one last.
  private var buckets = [Bucket](repeating: Bucket(), count: span)
  private var second = 0

  private struct Bucket {
    var lines = 0
    var bytes = 0
  }

  var uptime: Duration { begin.duration(to: .now) }

  mutating func count(lines: Int, bytes: Int) {
    catchUp()
    self.lines += lines
    buckets[Self.span - 1].lines += lines
    buckets[Self.span - 1].bytes += bytes
  }

  /// What was there before is not news, though it is counted.
  mutating func beginMeasuring() {
    buckets = [Bucket](repeating: Bucket(), count: Self.span)
  }

  /// The averages of the last whole seconds.
  mutating func perSecond() -> (lines: Double, bytes: Double) {
    catchUp()
    let whole = buckets.dropLast().suffix(min(Self.averaged, max(1, second)))
    return (
      Double(whole.reduce(0) { $0 + $1.lines }) / Double(whole.count),
      Double(whole.reduce(0) { $0 + $1.bytes }) / Double(whole.count)
    )
  }

  /// The lines of the last seconds as a row of bars.
  mutating func sparkline() -> String {
    catchUp()
    let bars = Array("▁▂▃▄▅▆▇█")
    let whole = buckets.dropLast().map(\.lines)
    let most = max(1, whole.max() ?? 1)
    return String(whole.map { $0 == 0 ? " " : bars[($0 * (bars.count - 1) + most / 2) / most] })
  }

  private mutating func catchUp() {
    let now = Int(uptime.components.seconds)
    let steps = min(now - second, Self.span)
    guard steps > 0 else { return }
    second = now
    buckets.removeFirst(steps)
    buckets += [Bucket](repeating: Bucket(), count: steps)
  }
}
