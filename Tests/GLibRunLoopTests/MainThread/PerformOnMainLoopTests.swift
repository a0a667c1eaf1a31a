import Testing

@Suite struct PerformOnMainLoopTests {
  @Test("P7, P1, P2, P4, P5 perform keeps its promises on the main loop", arguments: MainDriver.allCases)
  func onMain(_ driver: MainDriver) async throws { try await runScenario("PerformOnMainLoop", driver) }

  @Test("P7, P1 performs of another thread wake the main loop and run in their order", arguments: MainDriver.allCases)
  func fromOtherThread(_ driver: MainDriver) async throws {
    try await runScenario("PerformOnMainLoopFromOtherThread", driver)
  }

  @Test("P7, P3 a worker that waits for the main loop gets value, error or time-out", arguments: MainDriver.allCases)
  func andWait(_ driver: MainDriver) async throws { try await runScenario("PerformAndWaitOnMainLoop", driver) }
}
