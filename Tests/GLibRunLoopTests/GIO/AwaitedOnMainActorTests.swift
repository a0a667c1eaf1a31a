import Testing

@Suite struct AwaitedOnMainActorTests {
  @Test(
    "C7, C1 what the main actor awaits completes on the main loop, and is finished there",
    arguments: MainDriver.allCases)
  func onMainActor(_ driver: MainDriver) async throws { try await runScenario("GIOOnMainActor", driver) }

  @Test("C7, C4 the example of the documentation")
  func example() async throws {
    let result = try await programResult("ReadFile")
    #expect(result.exitCode == 0 && result.errors == "", "\(result.errors)")
    #expect(result.output.hasSuffix("there is no such file\n"))
  }
}
