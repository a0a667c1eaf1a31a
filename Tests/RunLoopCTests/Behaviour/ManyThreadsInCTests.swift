import Testing

@Suite(.enabled(if: !isSanitized)) struct ManyThreadsInCTests {
  @Test(
    "G1, L4, L5 threads of a C program call everything at once, and leave no descriptor behind",
    arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "many_threads").passes(driver) }
}
