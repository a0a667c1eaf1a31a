import Testing

@Suite(.enabled(if: !isSanitized)) struct PerformsInCTests {
  @Test(
    "G1, P1, P2, P4, P5 calls are made in order, in their modes, after their delay, or not when cancelled",
    arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "performs").passes(driver) }
}
