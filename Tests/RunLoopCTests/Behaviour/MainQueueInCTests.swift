import Testing

@Suite(.enabled(if: !isSanitized)) struct MainQueueInCTests {
  @Test("G1, C1 Dispatch's main queue, and so the main actor, is alive in a C program", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "main_queue").passes(driver) }
}
