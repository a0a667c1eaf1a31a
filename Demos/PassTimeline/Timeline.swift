import GLibRunLoop
import Glibc

/// What fired.
enum Kind: String, CaseIterable {
  case timer, source, perform, descriptor, observer, actor, gsource, run, note

  /// How it is told apart at a glance.
  var mark: String {
    switch self {
    case .timer: "T"
    case .source: "S"
    case .perform: "P"
    case .descriptor: "D"
    case .observer: "o"
    case .actor: "A"
    case .gsource: "G"
    case .run: "»"
    case .note: "·"
    }
  }

  var meaning: String {
    switch self {
    case .timer: "a timer's date has come"
    case .source: "a signalled source"
    case .perform: "a queued closure"
    case .descriptor: "a descriptor is ready"
    case .observer: "an observer, at a point of the pass"
    case .actor: "a task of the main actor"
    case .gsource: "a GSource of GLib's own"
    case .run: "a run that is nested begins or ends"
    case .note: "what the program does meanwhile"
    }
  }

  fileprivate var colour: String {
    switch self {
    case .timer: "33"
    case .source: "32"
    case .perform: "36"
    case .descriptor: "34"
    case .observer: "2"
    case .actor: "35"
    case .gsource: "31"
    case .run: "1"
    case .note: "0"
    }
  }
}

/// Prints what happens as rows: when, in which mode, what, and how deep in nested runs.
@MainActor struct Timeline {
  private let loop: GRunLoop
  private let start = GRunLoop.Instant.now
  private let hasColours = isatty(STDOUT_FILENO) != 0 && getenv("NO_COLOR") == nil
  var depth = 0

  init(loop: GRunLoop) { self.loop = loop }

  func header(_ driver: String) {
    print(bold("One main loop, run by \(driver)"))
    print()
    for pair in stride(from: 0, to: Kind.allCases.count, by: 2) {
      let kinds = Kind.allCases[pair..<min(pair + 2, Kind.allCases.count)]
      let cells = kinds.map { paint("\($0.mark) \(padded("\($0)", 11))", $0.colour) + padded($0.meaning, 36) }
      print("  " + trimmed(cells.joined()))
    }
    print("  │ one for each run that this one is nested in")
    print()
    print(bold("      ms  mode          what fired"))
  }

  func section(_ title: String) {
    print()
    print(bold(padded("", 10) + title))
  }

  func row(_ kind: Kind, _ text: String) {
    let mode = padded("\(loop.currentMode?.description ?? "-")", 12)
    let bars = String(repeating: "│ ", count: depth)
    print("\(elapsed())  \(mode)  \(bars)\(paint("\(kind.mark) \(text)", kind.colour))")
  }

  /// In milliseconds, with two digits after the point, right-aligned.
  private func elapsed() -> String {
    let parts = start.duration(to: .now).components
    let hundredths = parts.seconds * 100_000 + parts.attoseconds / 10_000_000_000_000
    let fraction = hundredths % 100
    let text = "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    return String(repeating: " ", count: max(0, 8 - text.count)) + text
  }

  private func paint(_ text: String, _ colour: String) -> String {
    hasColours && colour != "0" ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
  }

  private func bold(_ text: String) -> String { paint(text, "1") }

  private func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - text.count))
  }

  private func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
