import Testing

// That the scenario compiles is half of what it proves.
@Suite struct BackgroundOnMainLoopTests {
  @Test(
    "A1, A5, C5 on the main loop the steps are the main actor's, and so are awaited performs",
    arguments: MainDriver.allCases)
  func steps(_ driver: MainDriver) async throws { try await runScenario("BackgroundOnMainLoop", driver) }
}
