import DemoKit
import Glibc

/// Output on a terminal: lines scroll in all rows but the last, which shows the status.
@MainActor final class Screen: Output {
  private static let enough = 1 << 16
  private static let remembered = 300

  private let labels: Labels
  private var highlighter: Highlighter
  private let hasColours = getenv("NO_COLOR") == nil
  private var buffer = ""
  private var size = Terminal.size()
  private var status = ""
  /// What can be painted again, after a resize or when the highlighting changes.
  private var recent: [Entry] = []
  /// What was on the screen before the program began has scrolled away.
  private var ownsScreen = false
  private var rowsShown = 0

  private enum Entry {
    case line(Line)
    case remark(String)
  }

  init(labels: Labels, highlighter: Highlighter) {
    self.labels = labels
    self.highlighter = highlighter
    // A new row, so that the last one is free, then the region, which moves the cursor, then back.
    buffer = "\u{1B}[?25l\n\u{1B}7" + region + "\u{1B}8\u{1B}[1A"
  }

  var columns: Int { size.columns }
  var isHighlighting: Bool { highlighter.isOn }

  func show(_ line: Line) {
    if line.continues, case .line(let last)? = recent.last, last.input == line.input, !last.ends {
      recent[recent.count - 1] = .line(last.followed(by: line))
      if !line.bytes.isEmpty { repaint() }
    } else if !line.continues || !line.bytes.isEmpty {
      append(.line(line))
    }
  }

  /// On the screen in its place among the lines; also in the file, if standard error is one.
  func remark(_ text: String) {
    if isatty(STDERR_FILENO) == 0 { write(Array("FollowLog: \(text)\n".utf8), to: STDERR_FILENO) }
    append(.remark(text))
  }

  /// The last row, styled. It must fit.
  func setStatus(_ text: String) {
    guard text != status else { return }
    status = text
    paintStatus()
  }

  func flush() {
    guard !buffer.isEmpty else { return }
    write(Array(buffer.utf8), to: STDOUT_FILENO)
    buffer = ""
  }

  func toggleHighlighting() {
    highlighter.isOn.toggle()
    repaint()
  }

  func resized() {
    size = Terminal.size()
    repaint()
  }

  /// All rows anew: terminals differ in what they do to the text when they are resized.
  func repaint() {
    buffer += "\u{1B}[r\u{1B}[?25l"
    if !ownsScreen { buffer += "\u{1B}[\(size.rows);1H" + String(repeating: "\n", count: size.rows) }
    ownsScreen = true
    buffer += "\u{1B}[H\u{1B}[2J" + region + "\u{1B}[H"
    var rows = 0
    let fitting = recent.reversed().prefix { entry in
      rows += rowCount(of: entry)
      return rows < size.rows
    }
    for entry in fitting.reversed() { buffer += text(of: entry) + "\r\n" }
    paintStatus()
    flush()
  }

  /// Leaves the lines, and the cursor below them.
  func end() {
    buffer += "\u{1B}7\u{1B}[r\u{1B}[\(size.rows);1H\u{1B}[2K\u{1B}8\u{1B}[?25h"
    flush()
  }

  // MARK: Painting

  private var region: String { "\u{1B}[1;\(max(1, size.rows - 1))r" }

  private func append(_ entry: Entry) {
    recent.append(entry)
    if recent.count > 2 * Self.remembered { recent.removeFirst(Self.remembered) }
    buffer += text(of: entry) + "\r\n"
    if !ownsScreen {
      rowsShown += rowCount(of: entry)
      ownsScreen = rowsShown >= size.rows
    }
    if buffer.utf8.count >= Self.enough { flush() }
  }

  private func paintStatus() {
    buffer += "\u{1B}7\u{1B}[\(size.rows);1H\u{1B}[2K" + styled(status) + "\u{1B}8"
  }

  private func text(of entry: Entry) -> String {
    switch entry {
    case .remark(let text): return styled("\(Style.dim)── \(Text.printable(Array(text.utf8))) ──\(Style.plain)")
    case .line(let line):
      let text = Text.printable(line.bytes)
      let body = hasColours ? highlighter.styled(text) : text
      guard let label = labels[line.input] else { return body }
      let colour = Style.labels[line.input % Style.labels.count]
      return styled("\(colour)\(label)\(Style.plain) \(Style.dim)│\(Style.plain) ") + body
    }
  }

  private func rowCount(of entry: Entry) -> Int {
    let width =
      switch entry {
      case .remark(let text): Text.width(text) + 6
      case .line(let line):
        Text.width(Text.printable(line.bytes)) + (labels[line.input].map { Text.width($0) + 3 } ?? 0)
      }
    return max(1, (width + size.columns - 1) / size.columns)
  }

  private func styled(_ text: String) -> String { hasColours ? text : Self.withoutColours(text) }

  private static func withoutColours(_ text: String) -> String {
    var (result, isColour) = ("", false)
    for character in text {
      if character == "\u{1B}" { isColour = true }
      if !isColour { result.append(character) }
      if character == "m" { isColour = false }
    }
    return result
  }
}
