import Testing

@Suite struct AttachedMeanwhileTests {
  @Test("R14 a source of GLib's that is attached while the loop looks at its descriptors is dispatched")
  func whileDescriptorsAreLookedAt() async throws { try await runScenario("AttachWhileDescriptorsAreLookedAt") }
}
