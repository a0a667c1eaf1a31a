import Testing

/// The event by which Dispatch says that its main queue has work was not used up: the loop raced round after the first
/// block, and each later run ended at once with nothing done.
/// https://github.com/gnustep/libs-base/issues/378
/// https://github.com/swiftlang/swift-corelibs-foundation/pull/2806
@Suite struct MainQueueEventStaleRegression {
  @Test(
    "C1, C2, R3, R8 a block of the main queue's is one event (GNUstep, swift-corelibs-foundation)",
    arguments: MainDriver.allCases)
  func usedUp(_ driver: MainDriver) async throws { try await runScenario("MainQueueEventIsUsedUp", driver) }
}
