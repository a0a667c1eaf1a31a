import Testing

@Suite struct FoundationPerformTests {
  @Test(
    "C8 RunLoop.main.perform from any call-back of the main thread is done before the loop sleeps",
    arguments: MainDriver.allCases)
  func performs(_ driver: MainDriver) async throws { try await runScenario("FoundationPerforms", driver) }

  @Test("C8 from another thread it is done when that wakes the main loop", arguments: MainDriver.allCases)
  func otherThread(_ driver: MainDriver) async throws {
    try await runScenario("FoundationPerformFromOtherThread", driver)
  }

  @Test("C8, O5 a host that only polls serves Foundation, too, and its polls come to an end")
  func pollingHost() async throws { try await runScenario("FoundationUnderPollingHost") }

  @Test("C8 Foundation's queue of notifications is emptied", arguments: MainDriver.allCases)
  func notifications(_ driver: MainDriver) async throws { try await runScenario("FoundationNotifications", driver) }
}
