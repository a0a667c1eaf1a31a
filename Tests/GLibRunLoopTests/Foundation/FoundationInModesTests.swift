import Testing

@Suite struct FoundationInModesTests {
  @Test("C8, M2, M4 Foundation's timers fire in the common mode of their name, and are held in private modes")
  func modes() async throws { try await runScenario("FoundationModes") }

  @Test("C8 a mode that became common later is served at once, whatever its name", arguments: MainDriver.allCases)
  func late(_ driver: MainDriver) async throws { try await runScenario("FoundationLateModes", driver) }

  @Test(
    "C8, T10 inside a call-back of Foundation's the loop can be run again, and again", arguments: MainDriver.allCases)
  func nested(_ driver: MainDriver) async throws { try await runScenario("FoundationNestedRuns", driver) }

  @Test("C8, T12 a timer of Foundation's does not end a run that waits for a source")
  func noSource() async throws { try await runScenario("FoundationTimerIsNoSource") }
}
