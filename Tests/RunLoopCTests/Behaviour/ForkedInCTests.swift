import Testing

@Suite(.enabled(if: !isSanitized)) struct ForkedInCTests {
  @Test("G3, L7 a forked child gets errors for its parent's loops, and may have its own", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "forked").passes(driver) }
}
