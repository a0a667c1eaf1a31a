import Testing

@Suite struct StopOnMainLoopTests {
  @Test("R5 stop ends the innermost run of the main loop, once, and is not remembered", arguments: MainDriver.allCases)
  func innermost(_ driver: MainDriver) async throws { try await runScenario("StopOnMainLoop", driver) }

  @Test("R5, L4 stop from another thread ends a run of the sleeping main loop", arguments: MainDriver.allCases)
  func fromOtherThread(_ driver: MainDriver) async throws {
    try await runScenario("StopOfMainLoopFromOtherThread", driver)
  }
}
