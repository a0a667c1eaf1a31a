import CRunLoopShims
import GLibRunLoop

extension GRunLoop {
  /// What a loop has done since it began to collect metrics, and what waits in it, at one moment.
  ///
  /// ```swift
  /// loop.collectsMetrics = true
  /// loop.run(mode: .default, for: .milliseconds(10))
  /// print(loop.metrics)
  /// ```
  ///
  /// `description` is a table for people, ``json`` is for programs; any decoder of JSON reads that back.
  public struct Metrics: Sendable, Equatable, Codable {
    /// Call-backs of one kind.
    public struct Calls: Sendable, Equatable, Codable {
      /// `Timer`, `Source`, `perform`, …, as in ``Stall/kind``.
      public internal(set) var kind: String
      /// How many there were.
      public internal(set) var count: UInt64
      /// How long they took together, in nanoseconds, without the runs nested in them.
      public internal(set) var totalNanoseconds: Int64
    }

    /// What the call-backs of one name or line took.
    public struct Cost: Sendable, Equatable, Codable {
      /// The item's kind.
      public internal(set) var kind: String
      /// The item's name, or the perform's.
      public internal(set) var name: String?
      /// Where it was added or queued, as `Module/File.swift:12`.
      public internal(set) var place: String?
      /// How often it was called.
      public internal(set) var count: UInt64
      /// All calls together, in nanoseconds.
      public internal(set) var totalNanoseconds: Int64
      /// The longest call, in nanoseconds.
      public internal(set) var longestNanoseconds: Int64
    }

    /// What waits in a mode.
    public struct ModeContents: Sendable, Equatable, Codable {
      /// The mode.
      public internal(set) var mode: String
      /// Whether it is one of the common set. The set itself stands first, as `common`.
      public internal(set) var isCommon: Bool
      /// How many items it has of its own.
      public internal(set) var items: Int
      /// How many timers wait for their date.
      public internal(set) var timers: Int
      /// How many observers there are.
      public internal(set) var observers: Int
      /// How many performs are queued.
      public internal(set) var performs: Int
      /// How many sources are signalled and not yet called.
      public internal(set) var signals: Int
    }

    // MARK: At this moment

    /// The name of the loop's thread, if it is known.
    public internal(set) var thread: String?
    /// The mode that the loop is in.
    public internal(set) var mode: String
    /// Whether it sleeps.
    public internal(set) var isWaiting: Bool
    /// Whether it has ended.
    public internal(set) var hasEnded: Bool
    /// Its modes.
    public internal(set) var modes: [ModeContents]

    // MARK: Since it began to collect

    /// For how long; 0 if it does not.
    public internal(set) var collectedNanoseconds: Int64 = 0
    /// How many passes began.
    public internal(set) var passes: UInt64 = 0
    /// How often it slept.
    public internal(set) var sleeps: UInt64 = 0
    /// How long it slept.
    public internal(set) var sleptNanoseconds: Int64 = 0
    /// How long call-backs ran, GLib's sources included.
    public internal(set) var busyNanoseconds: Int64 = 0
    /// What ended its sleeps: `timer`, `perform`, `signal`, `descriptor`, `main queue`, `wakeUp`, `GLib`, `other`. One sleep
    /// may end for several reasons.
    public internal(set) var wakesByReason: [String: UInt64] = [:]
    /// How often another thread had to wake it.
    public internal(set) var wakeUps: UInt64 = 0
    /// Call-backs by kind, the most costly first.
    public internal(set) var calls: [Calls] = []
    /// How long each took, without runs nested in it.
    public internal(set) var durations = Histogram()
    /// How late timers came.
    public internal(set) var timerLateness = Histogram()
    /// How long performs were queued.
    public internal(set) var performLateness = Histogram()
    /// The most performs that a pass found queued.
    public internal(set) var mostPerformsQueued = 0
    /// The names or lines whose call-backs took longest, the longest first; twenty at most.
    public internal(set) var slowest: [Cost] = []

    /// The performs that are queued in all modes.
    public var performsQueued: Int { modes.reduce(0) { $0 + $1.performs } }

    /// How much of the time call-backs ran, from 0 to 1.
    public var busyShare: Double {
      collectedNanoseconds > 0 ? min(1, Double(busyNanoseconds) / Double(collectedNanoseconds)) : 0
    }
  }

  /// Whether the loop counts what it does, for ``metrics``. Setting it to true begins from zero, unless it does
  /// already; it costs two looks at the clock for each call-back. Ends with the loop. While somebody looks from outside
  /// it stays true: false says only that the program itself needs no counts. From any thread.
  public var collectsMetrics: Bool {
    get { !isForked && existingLoopProbe?.collectsMetrics ?? false }
    set {
      if !refuseForked("collectsMetrics") { collectMetrics(newValue, forProgram: true) }
    }
  }

  /// Has the loop count for one more that looks from outside, until that calls `endLook()`.
  package func beginLook() { if !isForked { collectMetrics(true, forProgram: false) } }

  package func endLook() { if !isForked { collectMetrics(false, forProgram: false) } }

  private func collectMetrics(_ on: Bool, forProgram: Bool) {
    guard loopProbe.collectMetrics(on, forProgram: forProgram) else { return }
    grl_instruments_change(on ? 1 : -1)
    tellOfInstruments()
  }

  /// What the loop has done and what waits in it. From any thread, without disturbing the loop: takes as long as some
  /// copies. Without ``collectsMetrics`` it has only what waits.
  public var metrics: Metrics {
    guard let contents else { return Metrics(thread: nil, mode: "", isWaiting: false, hasEnded: true, modes: []) }
    var metrics = Metrics(
      thread: nil, mode: contents.mode, isWaiting: contents.isWaiting, hasEnded: contents.hasEnded,
      modes: contents.modes.map(Metrics.ModeContents.init))
    existingLoopProbe?.addCounts(to: &metrics)
    return metrics
  }
}

extension GRunLoop.Metrics.ModeContents {
  fileprivate init(_ contents: LoopContents.Mode) {
    self.init(
      mode: contents.name, isCommon: contents.isCommon, items: contents.items, timers: contents.timers,
      observers: contents.observers, performs: contents.performs, signals: contents.signals)
  }
}
