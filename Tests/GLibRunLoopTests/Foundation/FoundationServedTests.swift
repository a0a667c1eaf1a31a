import Testing

@Suite struct FoundationServedTests {
  @Test("C8 Foundation's timers fire on the main thread, once or again and again", arguments: MainDriver.allCases)
  func timers(_ driver: MainDriver) async throws { try await runScenario("FoundationTimers", driver) }

  @Test("C8 a timer of Foundation's alone wakes the loop", arguments: MainDriver.allCases)
  func timerAlone(_ driver: MainDriver) async throws { try await runScenario("FoundationTimerAlone", driver) }

  @Test("C8, R7 timers that another thread adds or moves wake the loop", arguments: MainDriver.allCases)
  func timerFromOtherThread(_ driver: MainDriver) async throws {
    try await runScenario("FoundationTimerFromOtherThread", driver)
  }

  @Test("C8 without serveFoundation() they do not fire: this is what it is for", arguments: MainDriver.allCases)
  func control(_ driver: MainDriver) async throws { try await runScenario("FoundationUnserved", driver) }
}
