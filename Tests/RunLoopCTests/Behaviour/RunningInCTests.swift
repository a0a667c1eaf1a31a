import Testing

@Suite(.enabled(if: !isSanitized)) struct RunningInCTests {
  @Test("G1, R2, R3, R4, R5, R7, R9 a C program runs a loop, stops and wakes it", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "running").passes(driver) }
}
