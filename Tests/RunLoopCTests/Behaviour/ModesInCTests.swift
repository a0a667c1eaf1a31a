import Testing

@Suite(.enabled(if: !isSanitized)) struct ModesInCTests {
  @Test("G1, G3, M4, M5, M7, R9 modes of a C program", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "modes").passes(driver) }
}
