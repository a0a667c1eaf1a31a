import Testing

@Suite(.enabled(if: !isSanitized)) struct LifetimesInCTests {
  @Test(
    "G1, S8, T11 references of C and of the loop; user data is let go of once, on the loop's thread; no memory is left",
    arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws { try await CProgram(name: "lifetimes").passes(driver) }
}
