import Conformance
import Testing

/// Faults that made-up scenarios found, as small as they got.
@Suite struct FoundTests {
  @Test("P1 a perform of several modes that a nested run put back ran twice")
  func ranTwice() {
    expect(
      .library,
      Scenario(
        items: [
          Item(.perform([.a])), Item(.perform([.common, .a]), [.run(.main, until: .zero)]),
          Item(.perform([.common, .a])),
        ],
        steps: [.perform(1), .perform(2), .perform(0), .run(.main, until: .zero), .run(.a, until: .zero)]))
  }

  @Test("M5 the place of a perform that ran elsewhere kept the common modes alive")
  func placeKeptAlive() {
    expect(
      .library,
      Scenario(
        items: [Item(.perform([.a]), [.run(.main, until: .zero)]), Item(.perform([.a, .b]))],
        steps: [.perform(0), .perform(1), .run(.b, until: .zero), .run(.a, until: .zero)]))
  }

  @Test("T4 a timer that was removed and added again kept its place among equal dates")
  func keptItsPlace() {
    expect(
      .library,
      Scenario(
        items: [Item(.source(), [.add(1, .main)]), Item(.timer(at: 1)), Item(.timer(at: 1))],
        steps: [
          .add(0, .main), .add(1, .main), .add(2, .main), .signal(0), .remove(1, .main), .run(.main, until: .never),
        ]))
  }

  @Test("O4, R8 a sleep that ended for nothing was told as a pass", arguments: Self.wakesForNothing)
  func passForNothing(_ scenario: Scenario) { expect(.library, scenario) }

  static let wakesForNothing = [
    // The first sleep of a loop: GLib wakes its context for each descriptor.
    Scenario(
      items: [Item(.timer(at: 1)), Item(.observer(of: .beforeSources))],
      steps: [.add(0, .main), .add(1, .main), .run(.main, until: .never)]),
    // An item ended by another thread, whose closures are freed here.
    Scenario(
      items: [Item(.source()), Item(.observer(of: .beforeWaiting)), Item(.observer(of: .exit))],
      steps: [.add(1, .main), .add(2, .main), .add(0, .main), .run(.main, until: .never)],
      happenings: [Happening(at: 0, [.invalidate(2)])]),
    Scenario(
      items: [Item(.timer(at: 7)), Item(.observer(of: .afterWaiting))],
      steps: [.add(0, .main), .add(1, .main), .run(.main, until: .never)],
      happenings: [Happening(at: 1, [.move(0, to: 10)])]),
    Scenario(
      items: [Item(.source()), Item(.observer(of: .afterWaiting))],
      steps: [.add(1, .main), .add(0, .main), .run(.main, until: .never)], happenings: [Happening(at: 2, [.join(.a)])]),
    // An observer of sleeps that changes its mode as it is told of one.
    Scenario(
      items: [
        Item(.source()), Item(.observer(of: [.entry, .beforeWaiting]), [], [.remove(1, .common), .add(1, .main)]),
      ],
      steps: [.add(0, .main), .add(1, .common), .run(.main, until: .never)]),
  ]

  @Test("O5 GLib drives: an observer of sleeps that came in a pass cost one more pass, told to others")
  func choresWereAPass() {
    expect(
      .glibDriver,
      Scenario(items: [Item(.observer(of: [.beforeSources, .afterWaiting]))], steps: [.add(0, .main)]))
  }
}

func expect(_ comparison: Comparison, _ scenario: Scenario, sourceLocation: SourceLocation = #_sourceLocation) {
  let (expected, seen) = comparison.traces(of: scenario)
  #expect(seen == expected, sourceLocation: sourceLocation)
}
