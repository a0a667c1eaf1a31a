import Testing

@Suite(.enabled(if: !isSanitized)) struct OverUnrefInCTests {
  @Test(
    "G3 an unref too many in a call-back of any kind is a critical warning, and the handle is none afterwards",
    arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "over_unref").passes(driver) }
}
