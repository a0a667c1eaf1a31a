import Testing

@Suite struct ChildToldTests {
  @Test(
    "S12 the end of a child is told once, with its status or that there is none",
    arguments: pairs(
      [MainDriver.swift, .glib],
      pairs(["nothing", "blocked", "handledBefore", "handledLater", "ignored"], ["pidfd", "thread"])
        .map { [$0.0, $0.1] }))
  func told(_ driver: MainDriver, _ arguments: [String]) async throws {
    let result = try await scenarioResult(["ChildIsTold", driver.rawValue] + arguments)
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
  }

  @Test("S12 more children than descriptors: each is told of, or refused with the reason")
  func many() async throws { try await runScenario("ChildrenWithoutDescriptors", .swift) }

  @Test("M8 more sources of GLib's in modes than descriptors: each runs, or is refused with the reason")
  func manySources() async throws { try await runScenario("ForeignSourcesWithoutDescriptors", .swift) }
}
