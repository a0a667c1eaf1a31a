/// What terminals call colours.
package enum Colour {
  package static let plain = "\u{1B}[0m"
  package static let bold = "\u{1B}[1m"
  package static let dim = "\u{1B}[2m"
  package static let red = "\u{1B}[31m"
  package static let green = "\u{1B}[32m"
  package static let yellow = "\u{1B}[33m"
  package static let cyan = "\u{1B}[36m"
  private static let names = ["36", "35", "33", "34", "96", "95", "93", "94"].map { "\u{1B}[\($0)m" }

  /// The same for a name in every process.
  package static func of(_ name: String) -> String {
    names[Int(name.utf8.reduce(7 as UInt32) { ($0 &* 31) &+ UInt32($1) } % UInt32(names.count))]
  }

  /// A row that does not go on in the next one. What comes after is plain.
  package static func clipped(_ row: String, to columns: Int) -> String {
    var (result, width, isSequence) = ("", 0, false)
    for character in row {
      if character == "\u{1B}" { isSequence = true }
      if !isSequence {
        width += Text.width(String(character))
        if width > columns { return result + plain }
      }
      result.append(character)
      if isSequence && character.isLetter { isSequence = false }
    }
    return result
  }

  /// Without them: for who wants none, or a pipe.
  package static func without(_ text: String) -> String {
    var (result, sequence) = ("", "")
    for scalar in text.unicodeScalars {
      if sequence.isEmpty && scalar != "\u{1B}" {
        result.unicodeScalars.append(scalar)
        continue
      }
      sequence.unicodeScalars.append(scalar)
      guard scalar.properties.isAlphabetic else { continue }
      // Only colours end in m; the rest moves the cursor or clears, and stays.
      if scalar != "m" { result += sequence }
      sequence = ""
    }
    return result
  }
}
