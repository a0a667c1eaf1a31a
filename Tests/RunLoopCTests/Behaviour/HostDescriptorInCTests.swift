import Testing

@Suite(.enabled(if: !isSanitized)) struct HostDescriptorInCTests {
  @Test("R11, G1 a C program that only polls runs the loop through one descriptor")
  func passes() async throws { try await CProgram(name: "host_descriptor").passes() }
}
