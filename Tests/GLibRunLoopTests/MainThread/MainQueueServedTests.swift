import Testing

@Suite struct MainQueueServedTests {
  @Test(
    "C1 Dispatch's main queue, OperationQueue.main, main-actor tasks and their sleeps work",
    arguments: MainDriver.allCases)
  func served(_ driver: MainDriver) async throws { try await runScenario("MainQueueServed", driver) }

  @Test("C1 tasks hop between the main actor and other actors", arguments: MainDriver.allCases)
  func hops(_ driver: MainDriver) async throws { try await runScenario("MainActorHops", driver) }

  @Test("C1 the main queue is served in the common modes and held in all others", arguments: MainDriver.allCases)
  func modes(_ driver: MainDriver) async throws { try await runScenario("MainQueueInModes", driver) }

  @Test("C1, M7 when GLib drives in a private mode the main queue is held", arguments: [MainDriver.glib, .application])
  func hostMode(_ driver: MainDriver) async throws { try await runScenario("HostModeHoldsMainQueue", driver) }

  @Test(
    "C1, R6 work of the main queue that GLib has seen already is still held in a private run",
    arguments: MainDriver.allCases)
  func privateRun(_ driver: MainDriver) async throws { try await runScenario("MainQueueNewsInPrivateMode", driver) }

  @Test("C1 no block of the main queue runs inside another one", arguments: MainDriver.allCases)
  func notReentered(_ driver: MainDriver) async throws { try await runScenario("MainQueueIsNotReentered", driver) }
}
