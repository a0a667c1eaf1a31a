import Testing

@Suite struct MainLoopPlaceTests {
  @Test("L1, L2 the first thread's one loop is the main loop, in the global default context")
  func defaultContext() async throws { try await runScenario("MainLoopLivesInDefaultContext") }

  @Test(
    "L2, P7 another thread that asks for the main loop first does not become its thread", arguments: MainDriver.allCases
  )
  func askedFirstByOtherThread(_ driver: MainDriver) async throws {
    try await runScenario("MainLoopAskedFirstByOtherThread", driver)
  }
}
