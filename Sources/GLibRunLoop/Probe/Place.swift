/// A line of the program's source.
package struct Place: Hashable {
  package let file: StaticString
  package let line: UInt

  /// As the compiler has it: module and file.
  package var text: String { "\(file):\(line)" }

  // Literals of one file are one string in memory; two copies of it make two places that read alike.

  package static func == (left: Place, right: Place) -> Bool {
    left.line == right.line && left.file.utf8Start == right.file.utf8Start
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(file.utf8Start)
    hasher.combine(line)
  }
}

/// What is known of a call-back besides its kind.
package struct Label: Hashable {
  package var name: String?
  package var place: Place?
  /// The address of a C function.
  package var function: UInt?

  package init(name: String? = nil, place: Place? = nil, function: UInt? = nil) {
    self.name = name
    self.place = place
    self.function = function
  }
}
