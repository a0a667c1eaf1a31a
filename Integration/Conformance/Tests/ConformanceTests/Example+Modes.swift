import Conformance

extension Example {
  /// Of modes.
  static let modes = [
    Example(
      .commonItemsAreCopied, "M4 an item of the common set is in all of it, and cannot be taken out of one mode",
      [Item(.source())],
      [.add(0, .common), .remove(0, .main), .run(.main, until: .never)],
      library: ["run main", "idle", "stopped"],
      coreFoundation: ["run main", "finished"]),
    Example(
      .commonIsMainOnly, "M4 the common set begins with event tracking in it",
      [Item(.source())],
      [.add(0, .common), .run(.tracking, until: .zero)],
      library: ["run tracking", "timedOut"],
      coreFoundation: ["run tracking", "finished"]),
    Example(
      .privateModeMayJoin, "M6 a mode that ran as a private one does not join the common set",
      [Item(.source()), Item(.source())],
      [.add(0, .a), .add(1, .common), .run(.a, until: .zero), .join(.a), .signal(1), .run(.a, until: .zero)],
      library: ["run a", "timedOut", "run a", "timedOut"],
      coreFoundation: ["run a", "timedOut", "run a", "source 1 in a", "timedOut"]),
    Example(
      .unknownModeIsEmpty, "M4, P1 a perform for the common modes runs in one that just joined",
      [Item(.perform([.common]))],
      [.join(.b), .perform(0), .run(.b, until: .zero)],
      library: ["run b", "perform 0 in b", "timedOut"],
      coreFoundation: ["run b", "finished"]),
    Example(
      .rankOfEachMode, "O2 equal orders go by when they were added to the loop",
      [Item(.observer(of: .beforeSources)), Item(.observer(of: .beforeSources)), Item(.source())],
      [.add(0, .a), .add(1, .main), .add(0, .main), .add(2, .main), .run(.main, until: .zero)],
      library: ["run main", "observer 0 beforeSources in main", "observer 1 beforeSources in main", "timedOut"],
      coreFoundation: ["run main", "observer 1 beforeSources in main", "observer 0 beforeSources in main", "timedOut"]),
  ]
}
