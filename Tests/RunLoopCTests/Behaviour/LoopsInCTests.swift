import Testing

@Suite(.enabled(if: !isSanitized)) struct LoopsInCTests {
  @Test(
    "G1, L1, L2, L3, L6 a C program gets a loop for its thread, for the main thread and for a context",
    arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "loops").passes(driver) }
}
