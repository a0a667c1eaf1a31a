import Testing

@Suite struct CommandBufferExampleTests {
  @Test(
    "E3, S4 a worker's source registers itself with the main thread, clients fill its buffer and fire it, and it leaves",
    arguments: MainDriver.allCases)
  func registered(_ driver: MainDriver) async throws { try await runScenario("CommandBufferExample", driver) }
}
