import Testing

@Suite(.enabled(if: !isSanitized)) struct PerformAndWaitInCTests {
  @Test("G1, G3, P3 a C program waits for a call on another thread, with a time limit", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "perform_and_wait").passes(driver) }
}
