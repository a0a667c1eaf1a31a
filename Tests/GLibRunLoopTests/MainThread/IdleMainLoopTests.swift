import Testing

@Suite struct IdleMainLoopTests {
  @Test("C2, R8 an idle main loop lets its thread sleep", arguments: MainDriver.allCases)
  func thread(_ driver: MainDriver) async throws { try await runScenario("IdleMainLoop", driver) }

  @Test("C2, R8 an idle main loop sleeps once, as its observers see it", arguments: MainDriver.allCases)
  func observed(_ driver: MainDriver) async throws { try await runScenario("IdleMainLoopObserved", driver) }

  @Test("C2, R8 a hop to the main queue costs one wake-up", arguments: MainDriver.allCases)
  func hops(_ driver: MainDriver) async throws { try await runScenario("OneWakeUpForEachHop", driver) }
}
