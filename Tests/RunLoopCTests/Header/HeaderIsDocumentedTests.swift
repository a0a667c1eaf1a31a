import Testing

@Suite struct HeaderIsDocumentedTests {
  @Test("G1 each function has a comment in GTK's style, with its name, all its parameters and what it returns")
  func documented() throws {
    for function in try Header().functions where function.name != "grunloop_error_quark" {
      #expect(function.comment.hasPrefix(" * \(function.name):\n"), "\(function.name)")
      for parameter in function.parameters {
        #expect(function.comment.contains(" * @\(parameter):"), "\(parameter) of \(function.name)")
      }
      #expect(function.comment.contains(" * Returns:") == function.returnsSomething, "\(function.name)")
    }
  }
}
