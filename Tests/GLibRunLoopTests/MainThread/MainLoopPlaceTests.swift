import Testing

@Suite struct MainLoopPlaceTests {
  @Test("L1, L2 the first thread's one loop is the main loop, in the global default context")
  func defaultContext() throws { try runScenario("MainLoopLivesInDefaultContext") }

  @Test(
    "L2, P7 another thread that asks for the main loop first does not become its thread", arguments: MainDriver.allCases
  )
  func askedFirstByOtherThread(_ driver: MainDriver) throws {
    try runScenario("MainLoopAskedFirstByOtherThread", driver)
  }
}
