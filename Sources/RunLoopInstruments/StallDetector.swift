import CRunLoopShims
import GLibRunLoop
import Synchronization

extension GRunLoop {
  /// Tells when something keeps a loop from turning: a call-back that computes, blocks or waits for too long.
  ///
  /// ```swift
  /// try GRunLoop.StallDetector.start(on: .main, limit: .milliseconds(100))
  /// ```
  ///
  /// A thread of its own looks at the loop while that turns. The report says which call-back runs, where its item was
  /// added or its perform queued, and for how long; a second one says when the loop turns again. Call-backs of sources
  /// that GLib code attached to the same context are noticed, too, whoever drives.
  ///
  /// While the loop waits, the detector sleeps as well: an idle program has no wake-up because of it. Time in which the
  /// process is stopped (Control-Z, a debugger, a frozen control group) or the machine suspended does not count; of a
  /// stop that is shorter than a quarter of the limit that much may.
  ///
  /// A program that this module is linked into and whose environment has `GRUNLOOP_STALLS=100` has one on
  /// ``/GLibRunLoop/GRunLoop/main``, with a limit of 100 ms, on standard error.
  public final class StallDetector: Sendable {
    /// Where reports go.
    public enum Report: Sendable {
      /// A few lines on standard error.
      case standardError
      /// GLib's structured log, as a warning of the domain `GLibRunLoop` with the fields `CODE_FILE`, `CODE_LINE`,
      /// `GRUNLOOP_ITEM`, `GRUNLOOP_STALL_US`, `GRUNLOOP_OVER` and `GRUNLOOP_STACK`. (`g_log_structured`)
      case log
      /// A closure, called on the detector's thread.
      case call(@Sendable (Stall) -> Void)
    }

    let watch: StallWatch
    private let probe: LoopProbe
    let takesStacks: Bool
    private let process = grl_process()
    private let isOn = Atomic<Bool>(true)

    private init(_ watch: StallWatch, _ probe: LoopProbe, takesStacks: Bool) {
      self.watch = watch
      self.probe = probe
      self.takesStacks = takesStacks
    }

    /// Begins to look at a loop. It goes on until ``stop()``, or until the loop ends.
    ///
    /// When GLib drives, a context that nobody runs any more after `g_main_loop_quit` cannot be told from one that is kept
    /// by a source of GLib's, unless stacks are taken; there may be one report then.
    ///
    /// - Parameters:
    ///   - loop: The loop; its thread may be any.
    ///   - limit: How long it may take from one wait to the next; a millisecond at least.
    ///   - takesStacks: Whether to have the thread's stack in the report. It is taken with a real-time signal to the
    ///     loop's thread, sent only when the limit has passed. `sleep`, `poll` and other calls of a call-back's that
    ///     signals interrupt end early then. The thread may be anywhere, in `malloc` or the loader too; with a glibc
    ///     older than 2.35, where that would not be safe, stacks are refused.
    ///   - report: Where reports go.
    /// - Throws: ``InstrumentFailure``, if the thread cannot be started, no signal is free, stacks cannot be taken, or the
    ///   loop has ended.
    @discardableResult
    public static func start(
      on loop: GRunLoop, limit: Duration, takesStacks: Bool = false, report: Report = .standardError
    ) throws(InstrumentFailure) -> StallDetector {
      if loop.isForked { throw InstrumentFailure("a stall detector was not started: \(GRunLoop.Failure.forked)") }
      if takesStacks, let problem = StackOfThread.begin() {
        throw InstrumentFailure("stacks cannot be taken: \(problem)")
      }
      let probe = loop.loopProbe
      let watch = StallWatch(limit: max(1_000_000, limit.wholeNanoseconds), takesStacks: takesStacks, report: report)
      do throws(InstrumentFailure) {
        try ServiceThread.start("grunloop-stalls", semaphore: watch.semaphore) { watch.turn(probe) }
      } catch {
        if takesStacks { StackOfThread.end() }
        throw error
      }
      let detector = StallDetector(watch, probe, takesStacks: takesStacks)
      grl_instruments_change(1)
      probe.lock.withLock { probe.detectors.append(detector) }
      probe.noteUse()
      // Its poll function is needed from now on, and its thread's leave.
      guard probe.tellLoop() else {
        detector.stop()
        throw InstrumentFailure("a stall detector was not started: \(GRunLoop.Failure.ended)")
      }
      return detector
    }

    /// Stops looking. Reports that are under way may still come. Does nothing the second time.
    public func stop() {
      // Relaxed: one caller wins; what follows takes locks.
      guard isOn.exchange(false, ordering: .relaxed), process == grl_process() else { return }
      probe.lock.withLock {
        watch.isStopped = true
        probe.detectors.removeAll { $0 === self }
      }
      probe.noteUse()
      grl_semaphore_signal(watch.semaphore)
      grl_instruments_change(-1)
      if takesStacks { StackOfThread.end() }
      probe.tellLoop()
    }
  }
}
