/// Marks what a person looks for in a log: errors, warnings, and a word of choice.
struct Highlighter {
  private static let errors = ["error", "fatal", "critical", "panic"].map { Array($0.utf8) }
  private static let warnings = ["warning", "warn"].map { Array($0.utf8) }

  private let word: [UInt8]?
  var isOn = true

  init(word: String?) { self.word = word.map { Array($0.utf8).map(Self.lowercased) } }

  /// The text with colours. It must be free of control characters.
  func styled(_ text: String) -> String {
    guard isOn else { return text }
    let bytes = Array(text.utf8)
    let folded = bytes.map(Self.lowercased)
    var marks: [Mark] = []
    var tint = ""
    if let mark = firstWord(of: Self.errors, in: folded) {
      tint = Style.red
      marks.append(Mark(range: mark, style: Style.redBadge))
    } else if let mark = firstWord(of: Self.warnings, in: folded) {
      tint = Style.yellow
      marks.append(Mark(range: mark, style: Style.yellowBadge))
    }
    if let word {
      for range in ranges(of: word, in: folded) where !marks.contains(where: { $0.range.overlaps(range) }) {
        marks.append(Mark(range: range, style: Style.wordBadge))
      }
    }
    if marks.isEmpty { return text }
    return paint(bytes, marks.sorted { $0.range.lowerBound < $1.range.lowerBound }, tint)
  }

  private struct Mark {
    let range: Range<Int>
    let style: String
  }

  private func paint(_ bytes: [UInt8], _ marks: [Mark], _ tint: String) -> String {
    var result = tint
    var position = 0
    for mark in marks {
      result += String(decoding: bytes[position..<mark.range.lowerBound], as: UTF8.self)
      result += mark.style + String(decoding: bytes[mark.range], as: UTF8.self) + Style.plain + tint
      position = mark.range.upperBound
    }
    return result + String(decoding: bytes[position...], as: UTF8.self) + (tint.isEmpty ? "" : Style.plain)
  }

  private func firstWord(of words: [[UInt8]], in text: [UInt8]) -> Range<Int>? {
    for word in words {
      for range in ranges(of: word, in: text) where isWord(range, in: text) { return range }
    }
    return nil
  }

  private func isWord(_ range: Range<Int>, in text: [UInt8]) -> Bool {
    (range.lowerBound == 0 || !Self.isLetter(text[range.lowerBound - 1]))
      && (range.upperBound == text.count || !Self.isLetter(text[range.upperBound]))
  }

  private func ranges(of word: [UInt8], in text: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while position + word.count <= text.count {
      if text[position] == word[0], text[position..<position + word.count].elementsEqual(word) {
        found.append(position..<position + word.count)
        position += word.count
      } else {
        position += 1
      }
    }
    return found
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
  private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte || byte >= 0x80 }
}

/// The terminal's colours.
enum Style {
  static let plain = "\u{1B}[0m"
  static let dim = "\u{1B}[2m"
  static let red = "\u{1B}[31m"
  static let yellow = "\u{1B}[33m"
  static let redBadge = "\u{1B}[1;97;41m"
  static let yellowBadge = "\u{1B}[1;30;43m"
  static let wordBadge = "\u{1B}[1;30;46m"
  /// One for each file, in turn.
  static let labels = ["36", "35", "32", "34", "96", "95"].map { "\u{1B}[\($0)m" }
}
