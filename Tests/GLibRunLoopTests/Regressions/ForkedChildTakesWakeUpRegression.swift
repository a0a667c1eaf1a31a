import Testing

/// Children of a fork shared the parent's notification descriptor: one of them took what was meant for the parent, or
/// changed what the parent waited for.
/// https://github.com/Qihoo360/evpp/issues/56
/// https://github.com/systemd/systemd/pull/72
/// https://github.com/eventlet/eventlet/pull/68
@Suite struct ForkedChildTakesWakeUpRegression {
  @Test("L7, R7 forked children take none of the parent's wake-ups (evpp, systemd)", arguments: MainDriver.allCases)
  func none(_ driver: MainDriver) async throws { try await runScenario("ForkedChildrenTakeNoWakeUps", driver) }
}
