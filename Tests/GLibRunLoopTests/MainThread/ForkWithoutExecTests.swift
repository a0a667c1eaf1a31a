import Testing

@Suite struct ForkWithoutExecTests {
  @Test("L7 in a forked child every use of the parent's loops is refused with a message that says why")
  func refused() throws { try runScenario("ForkedChildIsRefused") }

  @Test("L7 a forked child never wakes the parent", arguments: MainDriver.allCases)
  func neverWakesParent(_ driver: MainDriver) throws { try runScenario("ForkedChildNeverWakesParent", driver) }

  @Test("L7 loops that the child makes itself work", arguments: MainDriver.allCases)
  func ownLoops(_ driver: MainDriver) throws { try runScenario("LoopsMadeAfterFork", driver) }
}
