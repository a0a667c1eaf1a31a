import Foundation

/// What the header says.
struct Header {
  struct Function {
    let name: String
    let parameters: [String]
    let returnsSomething: Bool
    /// The comment before it, if there is one.
    let comment: String
  }

  let functions: [Function]
  /// As major.minor.micro.
  let version: String

  init() throws {
    let text = try Places.text(of: Places.headers + "/grunloop.h")
    version = text.matches(of: #/(?m)^#define GRUNLOOP_M[A-Z]+_VERSION \(([0-9]+)\)$/#).map { String($0.1) }
      .joined(separator: ".")
    // A comment, perhaps, then a declaration that begins at the start of a line.
    let declaration =
      #/
      (?: /\*\*\n (?<comment> (?: \ \*.*\n )+? ) \ \*/\n )?
      (?<type> [A-Za-z][A-Za-z0-9\ ]*? [\ \*]+ ) (?<name> grunloop_[a-z_0-9]+ )\ \( (?<parameters> [^;]*? ) \);\n
      /#.anchorsMatchLineEndings()
    functions = text.matches(of: declaration).map { match in
      let parameters = match.parameters.split(separator: ",").map {
        $0.split(whereSeparator: { !$0.isName }).last.map(String.init) ?? ""
      }
      return Function(
        name: String(match.name), parameters: parameters == ["void"] ? [] : parameters,
        returnsSomething: match.type.trimmingCharacters(in: .whitespaces) != "void",
        comment: match.comment.map(String.init) ?? "")
    }
  }
}

extension Character {
  fileprivate var isName: Bool { isLetter || isNumber || self == "_" }
}
