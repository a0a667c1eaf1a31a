import Testing

@Suite struct MainLoopPlaceTests {
  @Test("L1, L2 the first thread's one loop is the main loop, in the global default context")
  func defaultContext() throws { try runScenario("MainLoopLivesInDefaultContext") }
}
