import Testing

@Suite(.enabled(if: !isSanitized)) struct SignalsInCTests {
  @Test("G1, S7 signals and the ends of child processes are sources of a C program", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "signals").passes(driver) }
}
