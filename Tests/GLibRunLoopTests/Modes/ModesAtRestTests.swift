import Testing

@Suite struct ModesAtRestTests {
  @Test("M10 modes that have no items, runs or work take no descriptor")
  func takeNoDescriptor() async throws { try await runScenario("ManyModes") }
}
