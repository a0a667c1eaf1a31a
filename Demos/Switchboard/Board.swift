import DemoKit
import GLibRunLoop
import Glibc

/// The switchboard on a terminal: the table of lines, what was said last, and the keys. Painted once for all that happens
/// in a turn of the loop, just before the loop sleeps.
@MainActor final class Board: Display {
  private let name: String
  private let exchange: String
  private let began = GRunLoop.Instant.now
  private let hasColours = getenv("NO_COLOR") == nil
  private var size = Terminal.size()
  private var lines: [Line] = []
  private var log: [(time: String, event: Event)] = []
  private var isStale = true
  var isChattering = false { didSet { isStale = true } }

  init(name: String, exchange: String) {
    self.name = name
    self.exchange = exchange
    // The other screen, without a cursor; what was on this one comes back at the end.
    write("\u{1B}[?1049h\u{1B}[?25l")
    let painter = GRunLoop.Observer(activities: .beforeWaiting) { @MainActor [weak self] _, _ in self?.paint() }
    GRunLoop.main.add(painter, forMode: .common)
    let clock = GRunLoop.Timer(interval: .seconds(1), repeats: true, tolerance: .milliseconds(200)) {
      @MainActor [weak self] _ in self?.isStale = true
    }
    GRunLoop.main.add(clock, forMode: .common)
  }

  func show(_ event: Event) {
    log.append((Board.timeOfDay(), event))
    if log.count > 500 { log.removeFirst(250) }
    isStale = true
  }

  func linesChanged(_ lines: [Line]) {
    self.lines = lines
    isStale = true
  }

  func resized() {
    size = Terminal.size()
    isStale = true
  }

  func end() { write("\u{1B}[?1049l\u{1B}[?25h") }

  // MARK: Painting

  private func paint() {
    guard isStale else { return }
    isStale = false
    var rows = [header, rule] + table + [rule]
    let room = max(0, size.rows - rows.count - 2)
    let recent = log.suffix(room)
    rows += recent.map(row(of:)) + Array(repeating: "", count: room - recent.count)
    rows += [rule, keys]
    let text = rows.prefix(size.rows).map { Colour.clipped($0, to: size.columns) + "\u{1B}[K" }.joined(
      separator: "\r\n")
    write("\u{1B}[H" + (hasColours ? text : Colour.without(text)))
  }

  private var header: String {
    let left = " ☎ \(name)"
    let middle = " at the exchange \"\(exchange)\""
    let right = "on duty \(Text.clock(began.duration(to: .now))) "
    let gap = max(1, size.columns - Text.width(left + middle + right))
    return "\(Colour.bold)\(Colour.of(name))\(left)\(Colour.plain)\(Colour.dim)\(middle)"
      + String(repeating: " ", count: gap) + right + Colour.plain
  }

  private var rule: String { "\(Colour.dim)\(String(repeating: "─", count: size.columns))\(Colour.plain)" }

  private var table: [String] {
    let head = " key  operator      line      calls out   in   round trip   last heard"
    var rows = ["\(Colour.dim)\(clipped(head, to: size.columns))\(Colour.plain)"]
    if lines.isEmpty { rows.append("\(Colour.dim)  –   nobody yet: start another operator\(Colour.plain)") }
    for (index, line) in lines.enumerated().prefix(max(1, size.rows / 2 - 4)) { rows.append(row(of: line, index + 1)) }
    return rows
  }

  private func row(of line: Line, _ number: Int) -> String {
    let (lamp, state) =
      switch line.state {
      case .open: ("\(Colour.green)●", "open")
      case .dead: ("\(Colour.red)✗", "dead")
      case .closed: ("\(Colour.dim)○", "closed")
      }
    let key = number < 10 ? "\(number)" : "·"
    let heard = clipped(line.lastHeard, to: max(0, size.columns - 57))
    return
      "  \(Colour.bold)\(key)\(Colour.plain)   \(Colour.of(line.name))\(Text.padded(line.name, to: 12))\(Colour.plain)  "
      + "\(lamp) \(Text.padded(state, to: 6))\(Colour.plain)  \(right(Text.grouped(line.out), 9)) "
      + "\(right(Text.grouped(line.in), 4))  \(right(line.roundTrip.map(milliseconds) ?? "–", 11))   "
      + "\(Colour.dim)\(heard)\(Colour.plain)"
  }

  private func row(of entry: (time: String, event: Event)) -> String {
    let text = clipped(entry.event.text, to: max(0, size.columns - 12))
    let colour = entry.event.isBad ? Colour.red : entry.event.other.map(Colour.of) ?? Colour.dim
    return " \(Colour.dim)\(entry.time)\(Colour.plain)  \(colour)\(text)\(Colour.plain)"
  }

  private var keys: String {
    let text = " 1–9 call · a call everybody · space chatter \(isChattering ? "on " : "off") · q go off duty"
    return "\(Colour.dim)\(clipped(text, to: size.columns))\(Colour.plain)"
  }

  private func clipped(_ text: String, to columns: Int) -> String {
    if Text.width(text) <= columns { return text }
    var result = text
    while !result.isEmpty, Text.width(result) >= columns { result.removeLast() }
    return columns > 0 ? result + "…" : ""
  }

  private func right(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - Text.width(text))) + text
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress! + written, $0.count - written) }
      if count < 0, errno != EINTR { return }
      written += max(0, count)
    }
  }

  static func timeOfDay() -> String {
    var (seconds, parts) = (time(nil), tm())
    localtime_r(&seconds, &parts)
    func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }
}
