import Testing

@Suite struct FirstRunTests {
  @Test("R15, C1 the first run of the main loop does not return for a turn in which nothing was called")
  func waits() async throws { try await runScenario("FirstRunOfMainLoop") }

  @Test("R15, C1 it serves what the main queue had before the loop was made")
  func findsMainQueue() async throws { try await runScenario("FirstRunFindsMainQueue") }
}
