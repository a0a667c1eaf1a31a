import Conformance

extension Example {
  /// Of timers.
  static let timers = [
    Example(
      .dateSetLastGoesBehind, "T4 timers of one date fire in the order added, whenever their dates were set",
      [Item(.timer(at: 1)), Item(.timer(at: 2))],
      [.add(0, .main), .add(1, .main), .move(0, to: 2), .run(.main, until: .never)],
      library: ["run main", "timer 0 in main", "timer 1 in main", "finished"],
      coreFoundation: ["run main", "timer 1 in main", "timer 0 in main", "finished"]),
    Example(
      .dateSetLastGoesBehind, "T4 timers of one date fire by their order",
      [Item(.timer(at: 1, order: 1)), Item(.timer(at: 1))],
      [.add(0, .main), .add(1, .main), .run(.main, until: .never)],
      library: ["run main", "timer 1 in main", "timer 0 in main", "finished"],
      coreFoundation: ["run main", "timer 0 in main", "timer 1 in main", "finished"]),
    Example(
      .pastIsNow, "T4 a date in the past keeps its place",
      [Item(.timer(at: 5)), Item(.timer(at: 5))],
      [.add(0, .main), .add(1, .main), .busy(until: 4), .move(0, to: 3), .move(1, to: 2), .run(.main, until: .zero)],
      library: ["run main", "timer 1 in main", "timer 0 in main", "timedOut"],
      coreFoundation: ["run main", "timer 0 in main", "timer 1 in main", "timedOut"]),
    Example(
      .zeroIntervalIsOnce, "T6 an interval of zero that repeats is the smallest one",
      [Item(.timer(at: 1, every: 0), [], [.invalidate(0)])],
      [.add(0, .main), .run(.main, until: .never)],
      library: ["run main", "timer 0 in main", "timer 0 in main", "finished"],
      coreFoundation: ["run main", "timer 0 in main", "finished"]),
  ]
}
