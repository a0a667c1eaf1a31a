import Testing

@Suite(.enabled(if: !isSanitized)) struct TimersInCTests {
  @Test("G1, T1, T2, T5, T6, T9, T13 timers of a C program", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "timers").passes(driver) }
}
