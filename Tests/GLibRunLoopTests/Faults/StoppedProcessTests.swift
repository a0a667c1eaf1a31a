import Testing

@Suite struct StoppedProcessTests {
  @Test(
    "T5, P1, S5 a process is stopped and continued: a timer's missed dates are one call, and nothing else is lost",
    arguments: MainDriver.allCases)
  func continued(_ driver: MainDriver) async throws { try await runScenario("StoppedAndContinued", driver) }
}
