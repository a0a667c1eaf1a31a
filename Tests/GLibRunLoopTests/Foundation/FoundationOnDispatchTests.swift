import Testing

@Suite struct FoundationOnDispatchTests {
  @Test(
    "C1, C8 OperationQueue.main, URLSession's and NotificationCenter's call-backs there work, Foundation's loop served or not",
    arguments: MainDriver.allCases, ["plain", "served"])
  func onDispatch(_ driver: MainDriver, _ variant: String) async throws {
    let result = try await scenarioResult(["FoundationOnDispatch", driver.rawValue, variant])
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
  }

  @Test("C2, C8, R8 Foundation's loop costs no wake-up while nothing is due", arguments: MainDriver.allCases)
  func idle(_ driver: MainDriver) async throws { try await runScenario("FoundationIdle", driver) }
}
