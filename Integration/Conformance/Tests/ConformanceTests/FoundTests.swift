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

  @Test("P1, M5 a perform of several modes that a nested run put back stayed in the other mode")
  func stayedInOtherMode() {
    expect(
      .library,
      Scenario(
        items: [Item(.perform([.common, .a]), [.run(.main, until: .zero)])],
        steps: [.perform(0), .perform(0), .run(.main, until: .zero), .run(.a, until: .zero)]))
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

  @Test("R8, O4 the host's alarm ended a nested run's sleep, though the timer had moved")
  func hostsAlarm() {
    expect(
      .glibDriver,
      Scenario(
        items: [
          Item(.source(), [.run(.main, until: .never)]), Item(.timer(at: 1)),
          Item(.observer(of: .beforeWaiting), [.signal(0)], [.move(1, to: 14)]),
        ],
        steps: [.add(0, .main), .add(1, .main), .add(2, .main)]))
  }

  @Test("T4, R2 a nested run in an empty mode took the rest of a pass's due timers away")
  func dueTimersLeft() {
    expect(
      .library,
      Scenario(
        items: [Item(.timer(at: 1)), Item(.timer(at: 0), [.run(.a, until: .zero)])],
        steps: [.add(0, .main), .add(1, .main), .busy(until: 12), .run(.main, until: .zero)]))
  }

  @Test("O5, R8 GLib drives: a signal to a source that was signalled already cost one more pass")
  func signalledTwice() {
    expect(
      .glibDriver,
      Scenario(
        items: [Item(.source(), [.signal(1)]), Item(.source()), Item(.observer(of: .beforeTimers))],
        steps: [.add(0, .main), .signal(0), .add(1, .main), .signal(1), .add(2, .main)]))
  }

  @Test("R8 GLib drives: a source that is not signalled woke the loop when it was added, if there were chores")
  func addedForNothing() {
    expect(
      .glibDriver,
      Scenario(
        items: [Item(.source()), Item(.observer(of: .beforeWaiting))], steps: [],
        happenings: [Happening(at: 4, [.add(1, .main), .add(0, .main)])]))
  }

  @Test("O5, R8 GLib drives: sources that were still to fire in a pass were taken for work of another one")
  func stillToFire() {
    expect(
      .glibDriver,
      Scenario(
        items: [
          Item(.source()), Item(.source(order: 1), [.invalidate(0)]),
          Item(.source(order: 1), [.signal(0), .signal(2)]), Item(.observer(of: .beforeTimers)),
        ],
        steps: [
          .add(0, .main), .add(1, .main), .add(2, .main), .add(3, .main), .signal(2), .signal(1),
          .run(.main, until: .zero, returnsAfterSource: true),
        ]))
  }

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
