import Testing

@Suite(.enabled(if: !isSanitized)) struct SourcesInCTests {
  @Test("G1, S1, S2, S4 sources of a C program are signalled, and say where they go", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "sources").passes(driver) }
}
