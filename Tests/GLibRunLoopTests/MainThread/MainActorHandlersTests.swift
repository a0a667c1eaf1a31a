import Testing

// That the scenarios compile is half of what they prove.
@Suite struct MainActorHandlersTests {
  @Test("P7, C1 handlers in main-actor code are the main actor's without more ado", arguments: MainDriver.allCases)
  func inMainActorCode(_ driver: MainDriver) async throws { try await runScenario("MainActorHandlers", driver) }

  @Test(
    "L4, C1 handlers of the main actor are added from any thread, to the main loop only", arguments: MainDriver.allCases
  )
  func fromOtherThread(_ driver: MainDriver) async throws {
    try await runScenario("MainActorHandlersFromOtherThread", driver)
  }
}
