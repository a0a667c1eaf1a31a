import Testing

@Suite struct MainLoopIsNeverEmptyTests {
  @Test(
    "M5, C1 the main loop is never empty in a common mode, except inside a block of the main queue",
    arguments: MainDriver.allCases)
  func neverEmpty(_ driver: MainDriver) async throws { try await runScenario("MainLoopIsNeverEmpty", driver) }
}
