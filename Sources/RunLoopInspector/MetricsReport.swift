import GLibRunLoop
import RunLoopInstruments

/// What a process says of its loops when it is asked: one object of JSON, in which durations are nanoseconds.
public struct MetricsReport: Codable, Sendable, Equatable {
  /// One loop.
  public struct Loop: Codable, Sendable, Equatable {
    /// What the program calls it.
    public var name: String
    /// Tells it from the process's other loops, also from one of the same name.
    public var number: Int
    /// In how many nanoseconds its next timer is due, in the mode that it is in; nil if none waits there. Negative for
    /// one that is late.
    public var nextTimerNanoseconds: Int64?
    /// What it has done since somebody first asked, and what waits in it.
    public var metrics: GRunLoop.Metrics

    /// One of these parts.
    public init(name: String, number: Int, nextTimerNanoseconds: Int64?, metrics: GRunLoop.Metrics) {
      self.name = name
      self.number = number
      self.nextTimerNanoseconds = nextTimerNanoseconds
      self.metrics = metrics
    }
  }

  /// The process's number.
  public var process: Int
  /// The program's name, as it was called.
  public var program: String
  /// The moment of the report, on the monotonic clock.
  public var momentNanoseconds: Int64
  /// The loops that are published and have not ended.
  public var loops: [Loop]

  /// One of these parts.
  public init(process: Int, program: String, momentNanoseconds: Int64, loops: [Loop]) {
    self.process = process
    self.program = program
    self.momentNanoseconds = momentNanoseconds
    self.loops = loops
  }
}
