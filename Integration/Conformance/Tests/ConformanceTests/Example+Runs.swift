import Conformance

extension Example {
  /// Of running and performing.
  static let runs = [
    Example(
      .performIsNoSource, "P8, R2 a run that returns after a source returns after a perform",
      [Item(.source()), Item(.perform([.main]))],
      [.add(0, .main), .perform(1), .run(.main, until: .slot(2), returnsAfterSource: true)],
      library: ["run main", "perform 1 in main", "handledSource"],
      coreFoundation: ["run main", "perform 1 in main", "timedOut"]),
    Example(
      .sleepsOnWork, "O4 nobody is told of a sleep while a timer is due",
      [Item(.timer(at: 0)), Item(.observer(of: [.beforeWaiting, .afterWaiting]))],
      [.add(0, .main), .add(1, .main), .run(.main, until: .never)],
      library: ["run main", "timer 0 in main", "finished"],
      coreFoundation: [
        "run main", "observer 1 beforeWaiting in main", "observer 1 afterWaiting in main", "timer 0 in main",
        "finished",
      ]),
    Example(
      .sleepsOnWork, "M5 a mode whose last item went is finished, not slept in",
      [Item(.perform([.main]))],
      [.perform(0), .run(.main, until: .slot(2))], [Happening(at: 1, [])],
      library: ["run main", "perform 0 in main", "finished"],
      coreFoundation: ["run main", "perform 0 in main", "from outside", "timedOut"]),
    Example(
      .waitsForPorts, "R1, T4 a wake-up does not keep a due timer waiting",
      [Item(.source(), [.wakeUp, .busy(until: 2)]), Item(.timer(at: 1))],
      [.add(0, .main), .add(1, .main), .signal(0), .run(.main, until: .zero)],
      library: ["run main", "source 0 in main", "timer 1 in main", "timedOut"],
      coreFoundation: ["run main", "source 0 in main", "timedOut"]),
    Example(
      .waitsForPorts, "M5 a run ends when another thread takes out the last item",
      [Item(.source())],
      [.add(0, .main), .run(.main, until: .never)], [Happening(at: 1, [.remove(0, .main)])],
      library: ["run main", "from outside", "finished"],
      coreFoundation: ["run main", "from outside", "idle", "stopped"]),
    Example(
      .waitsForPorts, "R7 a wake-up that a run did not need is not left to the next",
      [Item(.source(), [.wakeUp]), Item(.timer(at: 0)), Item(.observer(of: .beforeWaiting)), Item(.source())],
      [
        .add(0, .main), .add(1, .main), .add(2, .a), .add(3, .a), .signal(0), .run(.main, until: .zero),
        .run(.a, until: .never),
      ],
      library: [
        "run main", "source 0 in main", "timer 1 in main", "timedOut", "run a", "observer 2 beforeWaiting in a", "idle",
        "stopped",
      ],
      coreFoundation: [
        "run main", "source 0 in main", "timer 1 in main", "timedOut", "run a", "observer 2 beforeWaiting in a",
        "observer 2 beforeWaiting in a", "idle", "stopped",
      ]),
    Example(
      .blocksGoOn, "P2 a perform that a perform queued waits for a later pass",
      [Item(.perform([.main]), [.perform(1)]), Item(.perform([.main]))],
      [.perform(0), .run(.main, until: .zero)],
      library: ["run main", "perform 0 in main", "timedOut"],
      coreFoundation: ["run main", "perform 0 in main", "perform 1 in main", "timedOut"]),
    Example(
      .blocksGoOn, "R6, P1 a nested run runs what the outer one has not run yet",
      [Item(.perform([.main]), [.run(.main, until: .zero)]), Item(.perform([.main]))],
      [.perform(0), .perform(1), .run(.main, until: .zero)],
      library: ["run main", "perform 0 in main", "run main", "perform 1 in main", "timedOut", "timedOut"],
      coreFoundation: ["run main", "perform 0 in main", "run main", "finished", "perform 1 in main", "timedOut"]),
    Example(
      .limitBeginsAfterEntry, "R2 a run's time counts from the call",
      [Item(.timer(at: 5)), Item(.observer(of: .entry), [.busy(until: 4)])],
      [.add(0, .main), .add(1, .main), .run(.main, until: .slot(2))],
      library: ["run main", "observer 1 entry in main", "timedOut"],
      coreFoundation: ["run main", "observer 1 entry in main", "timer 0 in main", "finished"]),
    Example(
      .tellsNewcomers, "O4 an observer hears of the end of a sleep only if somebody heard of its beginning",
      [Item(.source()), Item(.observer(of: .afterWaiting))],
      [.add(0, .main), .run(.main, until: .never)], [Happening(at: 1, [.add(1, .main)])],
      library: ["run main", "from outside", "idle", "stopped"],
      coreFoundation: ["run main", "from outside", "idle", "observer 1 afterWaiting in main", "stopped"]),
  ]
}
