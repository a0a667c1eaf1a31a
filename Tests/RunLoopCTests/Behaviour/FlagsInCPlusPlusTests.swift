import Testing

@Suite(.enabled(if: !isSanitized)) struct FlagsInCPlusPlusTests {
  @Test("G1 a C++ program combines flags without a cast")
  func passes() async throws { try await CProgram(name: "flags", language: "cpp").passes() }
}
