import Testing

@Suite(.enabled(if: !isSanitized)) struct WrongArgumentsInCTests {
  @Test(
    "G3 a wrong argument of any function is a critical warning that names it, and never a trap",
    arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "wrong_arguments").passes(driver) }
}
