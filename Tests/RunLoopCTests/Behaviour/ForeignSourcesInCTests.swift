import Testing

@Suite(.enabled(if: !isSanitized)) struct ForeignSourcesInCTests {
  @Test("G1, G3, M8 a GSource obeys the modes of a C program", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "foreign").passes(driver) }
}
