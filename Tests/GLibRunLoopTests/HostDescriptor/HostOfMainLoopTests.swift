import Testing

@Suite struct HostOfMainLoopTests {
  @Test("R11, C1, C2 the main queue and the main actor are served through the descriptor, and cost nothing while idle")
  func mainQueue() async throws { try await runScenario("PolledMainLoop") }

  @Test("R11, L7 a forked child is refused with one line, and the parent's host goes on")
  func forked() async throws { try await runScenario("ForkedChildOfPolledLoop") }

  @Test("R11, L7 a call-back that forks in a turn ends that in the child")
  func forkInTurn() async throws { try await runScenario("ForkInTurn") }
}
