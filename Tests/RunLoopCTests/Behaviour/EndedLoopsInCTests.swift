import Testing

@Suite(.enabled(if: !isSanitized)) struct EndedLoopsInCTests {
  @Test(
    "G3, L5, P3, P6 a loop that has ended gives errors, releases those who wait, and lets go of user data once",
    arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "ended").passes(driver) }
}
