import CRunLoopShims
import GLibRunLoop

/// What a probe counts for metrics.
struct Counters {
  private struct Key: Hashable {
    let kind: Record.Kind
    let label: UInt32
  }

  private struct Cost {
    var count: UInt64 = 0
    var total: Int64 = 0
    var longest: Int64 = 0

    mutating func add(_ duration: Int64) {
      count += 1
      total += duration
      longest = max(longest, duration)
    }
  }

  /// Names may be without end: what comes when this many are known counts as its kind only.
  private static let labelLimit = 1024

  let start: Int64
  private var passes: UInt64 = 0
  private var wakeUps: UInt64 = 0
  private var sleep = Cost()
  private var reasons = [UInt64](repeating: 0, count: WakeReasons.allNames.count)
  private var kinds: [Record.Kind: Cost] = [:]
  private var costs: [Key: Cost] = [:]
  private var durations = GRunLoop.Metrics.Histogram()
  private var timerLateness = GRunLoop.Metrics.Histogram()
  private var performLateness = GRunLoop.Metrics.Histogram()
  private var mostPerforms = 0

  init(start: Int64) { self.start = start }

  /// - Parameter own: How long it took, without the runs nested in it.
  mutating func add(_ record: Record, own: Int64) {
    // Of what had begun before, only the rest counts: a loop is not busy for longer than it is looked at.
    let counted = max(0, min(record.duration, record.start.addingSaturated(record.duration) - start))
    let own = min(own, counted)
    switch record.kind {
    case .sleep: sleep.add(counted)
    case .wake: wakeUps += 1
    case .woken: for index in reasons.indices where record.detail & 1 << UInt32(index) != 0 { reasons[index] += 1 }
    case .run, .pass, .lost: break
    default:
      durations.add(own)
      kinds[record.kind, default: Cost()].add(own)
      var key = Key(kind: record.kind, label: record.label)
      if costs.count >= Self.labelLimit && costs[key] == nil { key = Key(kind: record.kind, label: Labels.none) }
      costs[key, default: Cost()].add(own)
      if record.lateness >= 0 {
        if record.kind == .call(.timer) {
          timerLateness.add(record.lateness)
        } else {
          performLateness.add(record.lateness)
        }
      }
    }
  }

  mutating func beginPass(performs: Int) {
    passes += 1
    mostPerforms = max(mostPerforms, performs)
  }

  func add(to metrics: inout GRunLoop.Metrics, at now: Int64) {
    metrics.collectedNanoseconds = max(1, now - start)
    metrics.passes = passes
    metrics.sleeps = sleep.count
    metrics.sleptNanoseconds = sleep.total
    metrics.wakeUps = wakeUps
    metrics.busyNanoseconds = durations.totalNanoseconds
    for (name, count) in zip(WakeReasons.allNames, reasons) where count > 0 { metrics.wakesByReason[name] = count }
    metrics.calls = kinds.map { .init(kind: $0.key.name, count: $0.value.count, totalNanoseconds: $0.value.total) }
      .sorted { ($0.totalNanoseconds, $1.kind) > ($1.totalNanoseconds, $0.kind) }
    metrics.durations = durations
    metrics.timerLateness = timerLateness
    metrics.performLateness = performLateness
    metrics.mostPerformsQueued = mostPerforms
    metrics.slowest = costs.sorted { $0.value.longest > $1.value.longest }.prefix(20).map { key, cost in
      let label = Labels[key.label]
      return .init(
        kind: key.kind.name, name: label.name ?? Symbols.name(of: label.function), place: label.place?.text,
        count: cost.count, totalNanoseconds: cost.total, longestNanoseconds: cost.longest)
    }
  }
}
