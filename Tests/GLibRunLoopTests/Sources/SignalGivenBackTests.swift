import Testing

@Suite struct SignalGivenBackTests {
  @Test(
    "S11 when the last source for a signal goes, the signal does what it did before",
    arguments: [MainDriver.swift, .glib]
  )
  func givenBack(_ driver: MainDriver) async throws { try await runScenario("SignalIsGivenBack", driver) }
}
