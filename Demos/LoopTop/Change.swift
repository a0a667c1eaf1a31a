import GLibRunLoop
import RunLoopInspector
import RunLoopInstruments

/// What a loop did between two reports.
struct Change {
  let seconds: Double
  let busyShare: Double
  let passes: Double
  let sleeps: Double
  let wakeUps: Double
  /// Shares of all that ended a sleep, the largest first.
  let reasons: [(name: String, share: Double)]

  /// - Parameter before: Nil for all that was counted so far.
  init(from before: MetricsReport.Loop?, to now: MetricsReport.Loop) {
    let (old, new) = (before?.metrics, now.metrics)
    // Numbers of another process: they may be anything.
    let nanoseconds = new.collectedNanoseconds.subtractingReportingOverflow(old?.collectedNanoseconds ?? 0).partialValue
    seconds = max(0, Double(nanoseconds) / 1e9)
    let span = seconds > 0 ? seconds : 1
    func rate(_ value: (GRunLoop.Metrics) -> UInt64) -> Double {
      Double(value(new)) / span - Double(old.map(value) ?? 0) / span
    }
    passes = rate(\.passes)
    sleeps = rate(\.sleeps)
    wakeUps = rate(\.wakeUps)
    let busy = Double(new.busyNanoseconds) - Double(old?.busyNanoseconds ?? 0)
    busyShare = max(0, min(1, busy / (span * 1e9)))
    let counts = new.wakesByReason.map { name, count in
      (name: name, count: Double(count) - Double(old?.wakesByReason[name] ?? 0))
    }
    let all = counts.reduce(0) { $0 + $1.count }
    reasons =
      counts.filter { $0.count > 0 }
      .map { (name: $0.name, share: $0.count / all) }
      .sorted { ($0.share, $1.name) > ($1.share, $0.name) }
  }

  /// Whether the counts began anew between the two, so that they cannot be held against each other.
  static func isRestart(_ before: MetricsReport.Loop, _ now: MetricsReport.Loop) -> Bool {
    now.metrics.collectedNanoseconds < before.metrics.collectedNanoseconds
  }
}
