import DemoKit
import GLibRunLoop
import RunLoopInspector
import RunLoopInstruments

/// One loop's page, as rows that fit a terminal.
struct Page {
  let report: MetricsReport
  let loop: MetricsReport.Loop
  let change: Change
  /// Busy shares, the last one last.
  let history: [Double]
  /// Such as "1 of 2"; empty if there is one.
  let place: String
  /// What stands at the right of the first row.
  let state: String
  let columns: Int

  private var metrics: GRunLoop.Metrics { loop.metrics }
  private var program: String { Text.printable(report.program) }

  func rows(_ count: Int, keys: String) -> [String] {
    var rows = [header, rule, busy, passes, reasons, waiting, rule] + modes + [rule] + times + [rule]
    let room = max(1, count - rows.count - 2)
    let slowest = slowest(room)
    rows += slowest + Array(repeating: "", count: max(0, room - slowest.count))
    return Array((rows + [rule, "\(Colour.dim)\(clipped(" " + keys, to: columns))\(Colour.plain)"]).prefix(count))
  }

  /// Without a screen: all of it.
  var text: String {
    ([header, busy, passes, reasons, waiting, ""] + modes + [""] + times + [""] + slowest(20)).joined(separator: "\n")
  }

  // MARK: Rows

  private var rule: String { "\(Colour.dim)\(String(repeating: "─", count: columns))\(Colour.plain)" }

  private var header: String {
    let name = " \(program) \(report.process)"
    let which = " · loop \(Text.printable(loop.name))\(place.isEmpty ? "" : " (\(place))")"
    let state = clipped(state, to: max(0, columns - Text.width(name + which) - 2))
    let gap = max(1, columns - Text.width(name + which + state) - 1)
    return "\(Colour.bold)\(name)\(Colour.plain)\(Colour.cyan)\(which)\(Colour.plain)"
      + "\(Colour.dim)\(String(repeating: " ", count: gap))\(state)\(Colour.plain)"
  }

  private var busy: String {
    let length = max(10, min(30, columns - 60))
    let full = Int((change.busyShare * Double(length)).rounded())
    let colour = Page.colour(of: change.busyShare)
    return label("busy") + "\(colour)\(right(percent(change.busyShare), 7))  \(String(repeating: "█", count: full))"
      + "\(Colour.plain)\(Colour.dim)\(String(repeating: "·", count: length - full))\(Colour.plain)  "
      + Page.sparkline(history.suffix(max(0, columns - length - 24)))
  }

  private var passes: String {
    label("turns") + "\(right(rate(change.passes), 7)) passes   \(rate(change.sleeps)) sleeps   "
      + "\(rate(change.wakeUps)) wake-ups by other threads"
  }

  private var reasons: String {
    let text = change.reasons.map { "\(Text.printable($0.name)) \(percent($0.share))" }.joined(separator: "   ")
    return label("woken by") + clipped("  " + (text.isEmpty ? "nothing" : text), to: columns - 12)
  }

  private var waiting: String {
    let next = loop.nextTimerNanoseconds.map { "next timer in \(span(max(0, $0)))" } ?? "no timer waits"
    let queued = "\(metrics.performsQueued) performs queued, \(metrics.mostPerformsQueued) at most"
    let mode = "\(metrics.isWaiting ? "asleep" : "awake") in mode \(Text.printable(metrics.mode))"
    return label("now") + clipped("  \(mode)   \(next)   \(queued)", to: columns - 12)
  }

  private var modes: [String] {
    let head = " " + Text.padded("mode", to: 24) + " items  timers  observers  performs  signals"
    return [dim(head)]
      + metrics.modes.map { mode in
        let name = clipped(Text.printable(mode.mode), to: 22) + (mode.isCommon && mode.mode != "common" ? " ∘" : "")
        let isRunning = mode.mode == metrics.mode
        let figures =
          right("\(mode.items)", 6) + right("\(mode.timers)", 8) + right("\(mode.observers)", 11)
          + right("\(mode.performs)", 10) + right("\(mode.signals)", 9)
        return "\(isRunning ? "\(Colour.green)▸" : " ")\(Text.padded(name, to: 24))\(Colour.plain)\(figures)"
      }
  }

  private var times: [String] {
    let head = " " + Text.padded("", to: 24) + "     calls        mean   half below   99 % below     longest"
    let rows: [(String, GRunLoop.Metrics.Histogram)] = [
      ("call-backs took", metrics.durations), ("timers came late by", metrics.timerLateness),
      ("performs waited", metrics.performLateness),
    ]
    return [dim(head)]
      + rows.map { name, values in
        let figures =
          values.count == 0
          ? right("0", 10)
          : right(Text.grouped(Int(clamping: values.count)), 10) + right(span(values.mean.nanoseconds), 12)
            + right(span(values.quantile(0.5).nanoseconds), 13) + right(span(values.quantile(0.99).nanoseconds), 13)
            + right(span(values.longestNanoseconds), 12)
        return " " + Text.padded(name, to: 24) + figures
      }
  }

  private func slowest(_ room: Int) -> [String] {
    let head = " " + Text.padded("slowest", to: 24) + "     calls        mean      longest   share   where"
    let all = Double(max(1, metrics.durations.totalNanoseconds))
    return [dim(head)]
      + metrics.slowest.prefix(max(0, room - 1)).map { cost in
        let share = Double(cost.totalNanoseconds) / all
        let mean = cost.totalNanoseconds / Int64(clamping: max(1, cost.count))
        let figures =
          right(Text.grouped(Int(clamping: cost.count)), 10) + right(span(mean), 12)
          + right(span(cost.longestNanoseconds), 13)
          + "\(Page.colour(of: share))\(right(percent(share), 8))\(Colour.plain)"
        let name = Text.padded(clipped(Text.printable(cost.name ?? cost.kind), to: 24), to: 24)
        return " " + name + figures + dim("   " + clipped(Text.printable(cost.place ?? ""), to: max(0, columns - 71)))
      }
  }

  // MARK: Texts

  private func label(_ text: String) -> String { " \(Colour.dim)\(Text.padded(text, to: 9))\(Colour.plain)" }
  private func dim(_ text: String) -> String { "\(Colour.dim)\(clipped(text, to: columns))\(Colour.plain)" }

  private func clipped(_ text: String, to columns: Int) -> String {
    if Text.width(text) <= columns { return text }
    var result = text
    while !result.isEmpty, Text.width(result) >= columns { result.removeLast() }
    return columns > 0 ? result + "…" : ""
  }

  private func right(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - Text.width(text))) + text
  }

  private func percent(_ share: Double) -> String { "\(Text.tenths(share * 100)) %" }
  private func rate(_ number: Double) -> String {
    number >= 100 ? "\(Text.grouped(Int(number.rounded())))/s" : "\(Text.tenths(max(0, number)))/s"
  }

  private func span(_ nanoseconds: Int64) -> String {
    for (unit, length) in [("s", 1e9), ("ms", 1e6), ("µs", 1e3)] where Double(nanoseconds) >= length {
      let value = Double(nanoseconds) / length
      return (value >= 100 ? "\(Int(value.rounded()))" : Text.tenths(value)) + " \(unit)"
    }
    return "\(nanoseconds) ns"
  }

  static func colour(of share: Double) -> String {
    share >= 0.8 ? Colour.red : share >= 0.4 ? Colour.yellow : Colour.green
  }

  static func sparkline(_ shares: some Collection<Double>) -> String {
    let bars = Array("▁▂▃▄▅▆▇█")
    return shares.map { "\(colour(of: $0))\(bars[max(0, min(7, Int($0 * 8)))])" }.joined() + Colour.plain
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
