import Testing

/// In a program that GTK drives nothing ran on the main actor, nor on Dispatch's main queue.
/// https://github.com/moreSwift/swift-cross-ui/issues/140
/// https://github.com/AparokshaUI/adwaita-swift/issues/38
/// https://github.com/rhx/SwiftGtk/issues/56
@Suite struct MainActorDeadRegression {
  @Test(
    "C1, M6 tasks that a host's call-back starts reach the main actor (SwiftCrossUI, Adwaita for Swift, SwiftGtk)",
    arguments: MainDriver.allCases)
  func alive(_ driver: MainDriver) async throws { try await runScenario("MainActorInHostCallback", driver) }
}
