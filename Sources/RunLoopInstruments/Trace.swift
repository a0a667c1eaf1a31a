import CRunLoopShims
import GLibRunLoop
import Synchronization

extension GRunLoop {
  /// Writes down what all loops of the process do: runs, passes, sleeps and what ended them, every call-back with its
  /// item's name, mode, lateness and duration, and the threads that woke a loop.
  ///
  /// ```swift
  /// let trace = try GRunLoop.Trace.start(writingTo: "trace.json")
  /// ```
  ///
  /// A trace goes to a file as it comes, or is kept for the last seconds and written when somebody asks. The file is
  /// trace-event JSON: open it at [ui.perfetto.dev](https://ui.perfetto.dev) or in `chrome://tracing`. A program that this
  /// module is linked into starts one with its first loop if its environment has `GRUNLOOP_TRACE=trace.json`; a symbolic
  /// link is not followed then.
  ///
  /// Times are the kernel's monotonic clock's, also on the thread of a ``/GLibRunLoop/GRunLoop/ManualClock``. Several traces may be on at once.
  /// While none is, the engine asks one number at each call-back. All methods can be called from every thread.
  public final class Trace: Sendable {
    private let ring: TraceRing
    /// Where records go as they come.
    private let drain: TraceDrain?
    private let onSignal = Atomic<CInt>(0)
    private let process = grl_process()

    private init(ring: TraceRing, drain: TraceDrain? = nil) {
      self.ring = ring
      self.drain = drain
    }

    // MARK: Starting and stopping

    /// Starts a trace that is written to a file, half a second's worth at a time. A process that is killed leaves a file
    /// that lacks only the end of that, and the closing bracket, which the format allows.
    ///
    /// - Parameter path: The file, which is replaced. `%p` in it stands for the process's number.
    /// - Throws: ``InstrumentFailure``, if the file cannot be written, or another process writes it.
    @discardableResult
    public static func start(writingTo path: String) throws(InstrumentFailure) -> Trace {
      try start(into: TraceFile(path))
    }

    /// As the environment asks. A link is not followed: whoever may put one where the file is to be does not choose what
    /// this program overwrites.
    static func start(forEnvironmentTo path: String) throws(InstrumentFailure) {
      _ = try start(into: TraceFile(path, followsLinks: false))
    }

    /// Hands marks on to a module of this package, as a file would get them: on a thread that the trace has for that, or
    /// on the one that stops it, with no lock of a loop's held.
    package static func start(
      handingOn hand: @escaping @Sendable (TraceMark) -> Void
    ) throws(InstrumentFailure) -> Trace {
      try start(into: TraceMarks(hand))
    }

    private static func start(into output: some TraceOutput) throws(InstrumentFailure) -> Trace {
      let ring = TraceRing(capacity: 65_536, keeps: nil)
      let trace = Trace(ring: ring, drain: try TraceDrain(of: ring, into: output))
      flushAtExit
      trace.begin()
      return trace
    }

    /// Starts a trace that keeps the last seconds in memory, until ``write(to:)`` is called.
    ///
    /// - Parameters:
    ///   - duration: For how long a record is kept.
    ///   - count: How many records are kept at most, of about 80 bytes each; the oldest give way.
    @discardableResult
    public static func start(keeping duration: Duration, upTo count: Int = 65_536) -> Trace {
      let ring = TraceRing(capacity: max(1, count), keeps: max(0, duration.wholeNanoseconds))
      let trace = Trace(ring: ring)
      trace.begin()
      return trace
    }

    private func begin() {
      LoopProbe.isKnown
      Self.withActive { $0.append(self) }
      grl_instruments_change(1)
    }

    /// Ends the trace, and completes its file. Does nothing the second time.
    public func stop() {
      // In a forked child none is on, and a lock may be held by a thread that it does not have.
      guard process == grl_process() else { return }
      let wasActive = Self.withActive { active in
        guard let index = active.firstIndex(where: { $0 === self }) else { return false }
        active.remove(at: index)
        return true
      }
      guard wasActive else { return }
      grl_instruments_change(-1)
      unsetSignal()
      drain?.finish()
      LoopProbe.settle()
    }

    // MARK: Keeping the last seconds

    /// Writes what is kept, and what goes on at this moment: a call-back that does not return is there, too.
    ///
    /// - Parameter path: The file, which is replaced. `%p` in it stands for the process's number.
    /// - Throws: ``InstrumentFailure``, if the file cannot be written.
    public func write(to path: String) throws(InstrumentFailure) {
      try refuseForked()
      let file = try TraceFile(path)
      file.append(ring.copy() + LoopProbe.all.flatMap { $0.openRecords() })
      file.close()
      if let problem = file.takeProblem() { diagnose(problem) }
    }

    /// Writes what is kept each time that the process receives a signal, until ``stop()``. A thread of its own does so,
    /// that works also when every loop hangs: `kill -USR2` a program whose window froze.
    ///
    /// - Parameters:
    ///   - path: As in ``write(to:)``.
    ///   - signal: A signal that the program does not use otherwise, such as `SIGUSR2`.
    /// - Throws: ``InstrumentFailure``, if the signal is in use, or the thread cannot be started.
    public func write(to path: String, on signal: CInt) throws(InstrumentFailure) {
      try refuseForked()
      let (taken, _) = onSignal.compareExchange(expected: 0, desired: signal, ordering: .acquiringAndReleasing)
      if !taken { throw InstrumentFailure("a trace is written on one signal; make another trace for signal \(signal)") }
      do throws(InstrumentFailure) {
        try ServiceThread.start("grunloop-dump", onSignal: signal) { [self] in
          if onSignal.load(ordering: .acquiring) != signal { return false }  // Acquiring: pairs with the exchanges.
          do throws(InstrumentFailure) { try write(to: path) } catch { diagnose("a trace was not written: \(error)") }
          return true
        }
      } catch {
        onSignal.store(0, ordering: .releasing)
        throw error
      }
    }

    private func refuseForked() throws(InstrumentFailure) {
      if process != grl_process() {
        throw InstrumentFailure("a trace was not written: this process was forked from the one that it is of")
      }
    }

    private func unsetSignal() {
      let signal = onSignal.exchange(0, ordering: .acquiringAndReleasing)
      if signal != 0 { ServiceThread.stop(onSignal: signal) }
    }

    // MARK: For the instruments

    /// Those that are on. A forked child begins with none.
    private static let active = PerProcess<[Trace]>([]) { _ in [] }

    private static func withActive<Result>(_ body: (inout [Trace]) -> Result) -> Result {
      active.withLock { traces in
        defer { Probes.looksAtAll = !traces.isEmpty }
        return body(&traces)
      }
    }

    private static let numbers = Atomic<UInt64>(0)

    static func nextNumber() -> UInt64 { numbers.wrappingAdd(1, ordering: .relaxed).newValue }  // Relaxed: only unlike.

    static func record(_ record: Record) {
      if !Probes.looksAtAll { return }
      active.withLock { traces in
        for trace in traces {
          if trace.ring.append(record) { trace.drain?.ask() }
        }
      }
    }

    /// What a program that calls `exit`, or returns from `main`, has in memory is written, too.
    private static let flushAtExit: Void = {
      atexit {
        if GRunLoop.Trace.active.isInherited { return }
        for trace in GRunLoop.Trace.withActive({ $0 }) where trace.drain != nil { trace.stop() }
      }
    }()
  }

  /// Why a trace, or another instrument, could not be started.
  public struct InstrumentFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried, why it failed, and what to do.
    public let description: String

    init(_ description: String) { self.description = description }
  }
}
