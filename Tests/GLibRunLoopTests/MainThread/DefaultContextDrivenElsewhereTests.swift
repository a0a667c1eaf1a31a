import Testing

@Suite struct DefaultContextDrivenElsewhereTests {
  @Test("L2, L4 a default context that another thread runs stays that thread's, and so does the work")
  func run() async throws { try await runScenario("DefaultContextRunByOtherThread") }

  @Test("L2 a default context that another thread iterates by hand is not taken away between two turns")
  func iterated() async throws { try await runScenario("DefaultContextIteratedByOtherThread") }
}
