import Testing

/// Expects that a process that was ended said so.
func expectMessage(
  _ message: String, in result: ExitTest.Result, sourceLocation: SourceLocation = #_sourceLocation
) {
  let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
  #expect(errors.contains(message), sourceLocation: sourceLocation)
}
