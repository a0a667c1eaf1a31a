import Conformance
import Testing

/// What changes when GLib drives: each is shown by the smallest scenario that has it.
@Suite struct DriversTests {
  @Test("O5 GLib's host goes to sleep right after work; Swift's driver makes one more pass")
  func sleepsAfterWork() {
    expect(
      Scenario(items: [Item(.observer(of: .beforeSources))], steps: [.add(0, .main)]), shows: .sleepsAfterWork,
      swift: ["observer 0 beforeSources in main", "idle"], glib: ["idle"])
  }

  @Test("O5 each end of the host's poll is told, also one that brought nothing")
  func tellsOfEachWake() {
    expect(
      Scenario(
        items: [Item(.observer(of: .beforeWaiting))], steps: [.add(0, .main)],
        happenings: [Happening(at: 1, [.join(.b)])]),
      shows: .tellsOfEachWake,
      swift: ["observer 0 beforeWaiting in main", "from outside", "idle"],
      glib: ["observer 0 beforeWaiting in main", "from outside", "observer 0 beforeWaiting in main", "idle"])
  }

  private func expect(
    _ scenario: Scenario, shows difference: DriverDifference, swift: [String], glib: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let bySwift = Comparison.swiftDriver.traces(of: scenario)
    let byGLib = Comparison.glibDriver.traces(of: scenario)
    #expect(bySwift.seen == swift, sourceLocation: sourceLocation)
    #expect(byGLib.seen == glib, sourceLocation: sourceLocation)
    #expect(bySwift.expected == bySwift.seen, sourceLocation: sourceLocation)
    #expect(byGLib.expected == byGLib.seen, sourceLocation: sourceLocation)
    #expect(Comparison.glib(without: difference, scenario) != glib, sourceLocation: sourceLocation)
  }
}
