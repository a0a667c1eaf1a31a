import Testing

@Suite(.enabled(if: !isSanitized)) struct ObserversInCTests {
  @Test("G1, O1, O2, O4 observers of a C program see each step of a run", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "observers").passes(driver) }
}
