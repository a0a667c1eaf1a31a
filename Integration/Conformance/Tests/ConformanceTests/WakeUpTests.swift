import Conformance
import Testing

/// Not a difference in what the loops do, but in what their calls are: here one call signals and wakes.
@Suite struct WakeUpTests {
  @Test("S2, P1 Core Foundation leaves the wake-up to the caller", arguments: [Op.signal(0), .perform(1)])
  func callerWakes(_ op: Op) {
    let scenario = Scenario(
      items: [Item(.source()), Item(.perform([.main]))], steps: [.add(0, .main), .run(.main, until: .never)],
      happenings: [Happening(at: 1, [op])])
    let fired = op == .signal(0) ? "source 0 in main" : "perform 1 in main"
    let woken = ["run main", "from outside", fired, "idle", "stopped"]
    #expect(Comparison.library.traces(of: scenario).seen == woken)
    #expect(Comparison.coreFoundation.traces(of: scenario).seen == woken)
    let asleep = Comparison.coreFoundationWithoutWakeUps(scenario)
    #expect(asleep.prefix(3) == ["run main", "from outside", "idle"])
  }
}
