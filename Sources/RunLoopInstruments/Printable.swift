extension String {
  /// As a terminal or a log may be shown it: a name is whatever somebody gave, and must not move a cursor, begin a line
  /// or turn the text around.
  var printable: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0..<32: text.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
      case 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: text.unicodeScalars.append("\u{FFFD}")
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
