import Testing

// The thread sanitizer does not support a fork of a process with several threads: its children hang in Swift's runtime.
@Suite(.disabled(if: hasThreadSanitizer)) struct ForkWithoutExecTests {
  @Test("L7 in a forked child every use of the parent's loops is refused with a message that says why")
  func refused() async throws { try await runScenario("ForkedChildIsRefused") }

  @Test("L7 the child is refused, and does not hang, whatever another thread did at the moment of the fork")
  func neverHangs() async throws { try await runScenario("ForkedChildNeverHangs") }

  @Test("L7 a forked child never wakes the parent", arguments: MainDriver.allCases)
  func neverWakesParent(_ driver: MainDriver) async throws {
    try await runScenario("ForkedChildNeverWakesParent", driver)
  }

  @Test(
    "L7 a call-back forks: in the child the parent's run ends, and nothing of the parent's is called",
    arguments: MainDriver.allCases)
  func inMidRun(_ driver: MainDriver) async throws { try await runScenario("ForkInMidRun", driver) }

  @Test("L7 loops that the child makes itself work", arguments: MainDriver.allCases)
  func ownLoops(_ driver: MainDriver) async throws { try await runScenario("LoopsMadeAfterFork", driver) }
}
