import Testing

@Suite(.enabled(if: !isSanitized)) struct DescriptorsInCTests {
  @Test("G1, G3, S5, S6 descriptor sources of a C program", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "descriptors").passes(driver) }
}
