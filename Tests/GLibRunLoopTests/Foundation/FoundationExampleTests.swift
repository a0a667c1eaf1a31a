import Testing

@Suite struct FoundationExampleTests {
  @Test("C8 the example of the documentation")
  func example() async throws {
    let result = try await programResult("FoundationUnderGLib")
    #expect(result.exitCode == 0 && result.errors == "", "\(result.errors)")
    #expect(result.output.hasPrefix("Foundation's tick\n"))
    #expect(result.output.hasSuffix("Foundation's perform\n"))
  }
}
