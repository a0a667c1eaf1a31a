import Conformance

extension Example {
  /// Of sources and observers.
  static let sources = [
    Example(
      .removedIsCalled, "S8, M2 a source that was removed in a call-out is not called in it",
      [Item(.source(), [.remove(1, .main)]), Item(.source())],
      [.add(0, .main), .add(1, .main), .signal(0), .signal(1), .run(.main, until: .zero)],
      library: ["run main", "source 0 in main", "timedOut"],
      coreFoundation: ["run main", "source 0 in main", "source 1 in main", "timedOut"]),
    Example(
      .removedIsCalled, "O3 an observer that was removed in a call-out is not called in it",
      [Item(.observer(of: .beforeSources), [.remove(1, .main)]), Item(.observer(of: .beforeSources)), Item(.source())],
      [.add(0, .main), .add(1, .main), .add(2, .main), .run(.main, until: .zero)],
      library: ["run main", "observer 0 beforeSources in main", "timedOut"],
      coreFoundation: ["run main", "observer 0 beforeSources in main", "observer 1 beforeSources in main", "timedOut"]),
    Example(
      .laterSignalCounts, "S1 a source that a nested run called, and that was signalled again, waits for the next pass",
      [Item(.source(), [.run(.main, until: .zero)]), Item(.source(order: 1), [.signal(1)])],
      [.add(0, .main), .add(1, .main), .signal(0), .signal(1), .run(.main, until: .zero)],
      library: ["run main", "source 0 in main", "run main", "source 1 in main", "timedOut", "timedOut"],
      coreFoundation: [
        "run main", "source 0 in main", "run main", "source 1 in main", "timedOut", "source 1 in main", "timedOut",
      ]),
    Example(
      .lastSourceDecides, "R1 performs have another turn if any source fired",
      [
        Item(.source(), [.invalidate(1), .perform(2)]), Item(.source(order: 1)), Item(.perform([.main])),
        Item(.observer(of: .beforeWaiting)),
      ],
      [.add(0, .main), .add(1, .main), .add(3, .main), .signal(0), .signal(1), .run(.main, until: .never)],
      library: [
        "run main", "source 0 in main", "perform 2 in main", "observer 3 beforeWaiting in main", "idle", "stopped",
      ],
      coreFoundation: [
        "run main", "source 0 in main", "observer 3 beforeWaiting in main", "perform 2 in main",
        "observer 3 beforeWaiting in main", "idle", "stopped",
      ]),
    Example(
      .signalCountsBeforeAdding, "S3 a signal that came before its source was added counts from the adding",
      [Item(.source()), Item(.source())],
      [.add(0, .main), .signal(1), .signal(0), .add(1, .main), .run(.main, until: .zero)],
      library: ["run main", "source 0 in main", "source 1 in main", "timedOut"],
      coreFoundation: ["run main", "source 1 in main", "source 0 in main", "timedOut"]),
  ]
}
