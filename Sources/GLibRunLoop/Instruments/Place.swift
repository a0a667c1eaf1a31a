/// A line of the program's source.
struct Place: Hashable {
  let file: StaticString
  let line: UInt

  /// As the compiler has it: module and file.
  var text: String { "\(file):\(line)" }

  // Literals of one file are one string in memory; two copies of it make two places that read alike.

  static func == (left: Place, right: Place) -> Bool {
    left.line == right.line && left.file.utf8Start == right.file.utf8Start
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(file.utf8Start)
    hasher.combine(line)
  }
}

/// What is known of a call-back besides its kind.
struct Label: Hashable {
  var name: String?
  var place: Place?
  /// The address of a C function.
  var function: UInt?
}
