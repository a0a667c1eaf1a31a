import CGLib
import CRunLoopShims
import Glibc
import Synchronization

// Where the engine tells the instruments what it does. While none is on, each place costs one load and a branch that is
// not taken; the rest is out of line.

extension GRunLoop {
  /// A call-back begins. What is returned goes to `callEnds`.
  @inline(__always)
  func callBegins(
    _ kind: ProbedCall.Kind, _ item: @autoclosure () -> Item? = nil, detail: @autoclosure () -> UInt32 = 0
  )
    -> Int
  {
    grl_instrumented() ? probeBegins(kind, item(), detail()) : 0
  }

  @inline(__always)
  func performBegins(_ details: @autoclosure () -> PerformDetails?) -> Int {
    grl_instrumented() ? probeBegins(details()) : 0
  }

  @inline(__always)
  func functionBegins(_ function: @autoclosure () -> UInt) -> Int {
    grl_instrumented() ? probeBegins(function()) : 0
  }

  @inline(__always)
  func callEnds(_ depth: Int) { if depth != 0 { probeEnds(depth) } }

  @inline(__always)
  func runBegins() -> Int { grl_instrumented() ? probeBeginsRun() : 0 }

  @inline(__always)
  func runEnds(_ depth: Int) { if depth != 0 { withProbe { $0.runEnds(depth) } } }

  @inline(__always)
  func passBegins() { if grl_instrumented() { probeBeginsPass() } }

  /// Before the kernel is asked; `pollEnds` comes after it.
  @inline(__always)
  func pollBegins(sleeps: Bool) { if grl_instrumented() { probePollBegins(sleeps) } }

  /// - Parameter isForeign: GLib will dispatch what it finds, and tell nobody.
  @inline(__always)
  func pollEnds(isForeign: Bool) { if grl_instrumented() { probePollEnds(isForeign) } }

  /// Under the lock, after a sleep, when it is known what is ready.
  @inline(__always)
  func wakeIsKnown(foreign: Bool, otherwise: WakeReasons) {
    if grl_instrumented() { probeWoken(foreign, otherwise) }
  }

  /// GLib dispatches the engine's source.
  @inline(__always)
  func hostTurnBegins() { if grl_instrumented() { withActiveProbe { $0.foreignWorkEnds() } } }

  /// GLib goes on to other sources.
  @inline(__always)
  func hostTurnEnds() { if grl_instrumented() { withActiveProbe { $0.foreignWorkBegins() } } }

  /// This thread wakes the loop. What is returned goes to `wakeEnds`.
  @inline(__always)
  func wakeBegins() -> ProbedWake { grl_instrumented() ? withActiveProbe { $0.wakeBegins() } ?? .none : .none }

  @inline(__always)
  func wakeEnds(_ wake: ProbedWake) { if wake.number != 0 { withProbe { $0.wakeEnds(wake) } } }

  // MARK: While an instrument is on

  var probeSlot: ProbeSlot? {
    // Acquiring: pairs with the store in `Probes.slot`.
    probePointer.load(ordering: .acquiring).map { Unmanaged<ProbeSlot>.fromOpaque($0).takeUnretainedValue() }
  }

  /// This loop's, if it was ever looked at.
  package var existingProbe: (any Probe)? { probeSlot?.probe }

  /// This loop's, made if it is not there. Nil if there are no instruments.
  package var probe: (any Probe)? { (probeSlot ?? Probes.slot(for: self))?.probe }

  /// Tells the loop's, if there is one. Not counted: it lives as long as the loop. In a forked child nobody is told:
  /// the probe's lock may be held by a thread that the child does not have.
  @discardableResult @inline(__always)
  private func withProbe<Result>(_ body: (any Probe) -> Result) -> Result? {
    if isForked { return nil }
    // Acquiring: see `probeSlot`.
    guard let slot = probePointer.load(ordering: .acquiring) else { return nil }
    return Unmanaged<ProbeSlot>.fromOpaque(slot)._withUnsafeGuaranteedRef { body($0.probe) }
  }

  /// Likewise, if an instrument looks at this loop.
  @discardableResult @inline(never)
  private func withActiveProbe<Result>(_ body: (any Probe) -> Result) -> Result? {
    if !isInstrumented { return nil }
    // Made with the first call-back that a trace of all loops sees.
    if probePointer.load(ordering: .relaxed) == nil { _ = Probes.slot(for: self) }  // Relaxed: `withProbe` acquires it.
    return withProbe(body)
  }

  private var isInstrumented: Bool { Probes.looksAtAll || withProbe { $0.isWatched } ?? false }

  @inline(never)
  private func probePollBegins(_ sleeps: Bool) { withActiveProbe { $0.pollBegins(sleeps: sleeps) } }

  @inline(never)
  private func probePollEnds(_ isForeign: Bool) { withActiveProbe { $0.pollEnds(isForeign: isForeign) } }

  @inline(never)
  private func probeBegins(_ kind: ProbedCall.Kind, _ item: Item?, _ detail: UInt32) -> Int {
    withActiveProbe { probe in
      var lateness: Int64 = -1
      if kind == .timer, let timer = item as? Timer {
        let date = timer.fireDate
        let late = date.timebase.now.subtractingSaturated(date.nanoseconds)
        // A date before the machine's start, such as the distant past, means "at once": no call is late for it.
        if late <= Timebase.continuous.now { lateness = max(0, late) }
      }
      let label = item.flatMap(Labels.of)?.number ?? Labels.none
      return probe.callBegins(
        ProbedCall(kind: kind, label: label, mode: modeInForce, lateness: lateness, detail: detail))
    } ?? 0
  }

  @inline(never)
  private func probeBegins(_ details: PerformDetails?) -> Int {
    withActiveProbe { probe in
      let lateness = details?.origin.map { max(0, grl_now(CLOCK_MONOTONIC) - $0.date) } ?? -1
      let label = Label(name: details?.name, place: details?.origin?.place)
      return probe.callBegins(
        ProbedCall(kind: .perform, label: Labels.number(of: label), mode: modeInForce, lateness: lateness))
    } ?? 0
  }

  @inline(never)
  private func probeBegins(_ function: UInt) -> Int {
    withActiveProbe { probe in
      let label = Labels.number(of: Label(function: function))
      return probe.callBegins(ProbedCall(kind: .perform, label: label, mode: modeInForce))
    } ?? 0
  }

  @inline(never)
  private func probeEnds(_ depth: Int) { withProbe { $0.callEnds(depth) } }

  @inline(never)
  private func probeBeginsRun() -> Int {
    withActiveProbe { probe in
      let (mode, isOnly) = lock.withLock { (scope.state.mode, activations.count == 1) }
      return probe.runBegins(in: mode, isOutermost: isOnly && g_main_depth() == 0)
    } ?? 0
  }

  @inline(never)
  private func probeBeginsPass() {
    withActiveProbe { probe in
      settleChain()
      let (mode, performs) = lock.withLock {
        var performs = 0
        scope.forEach { performs += $0.waiting.waiting }
        return (scope.state.mode, performs)
      }
      probe.passBegins(passNumber, in: mode, performs: performs)
    }
  }

  /// An instrument of this loop was switched on or off: its thread does what that takes.
  package func tellOfInstruments() {
    chore { [unowned self] in
      settleChain()
      existingProbe?.settle()
    }
  }

  /// On the loop's thread: its poll function is there while an instrument looks, since nothing else tells of sleeps
  /// when GLib drives.
  func settleChain() {
    guard let slot = probeSlot, !isForked else { return }
    lock.withLock {
      guard slot.isChained != isInstrumented, !hasEnded else { return }
      slot.isChained.toggle()
      countWaitingObserver(slot.isChained ? 1 : -1)
    }
  }

  private var modeInForce: Mode { lock.withLock { scope.state.mode } }

  @inline(never)
  private func probeWoken(_ foreign: Bool, _ otherwise: WakeReasons) {
    withProbe { $0.woken(by: wakeReasons(foreign, otherwise)) }
  }

  /// Under the lock.
  private func wakeReasons(_ foreign: Bool, _ otherwise: WakeReasons) -> WakeReasons {
    var reasons: WakeReasons = []
    if foreign { reasons.insert(.glib) }
    if hasDueTimer() { reasons.insert(.timer) }
    if isPending(.performs) || isPending(.lanes) { reasons.insert(.perform) }
    if isPending(.signals) { reasons.insert(.signal) }
    if isPending(.wakeUp) { reasons.insert(.wakeUp) }
    if isPending(.descriptors) || !news.isDisjoint(with: [.mode, .common]) { reasons.insert(.descriptor) }
    if news.contains(.mainQueue) { reasons.insert(.mainQueue) }
    return reasons.isEmpty ? otherwise : reasons
  }

  /// Instruments that are linked in may begin with the process's first loop. What went wrong is said with the loop's
  /// first turn: a lock is held here, or somebody waits for the loop to be made, and whoever reads the log may use it.
  func beginInstruments() {
    guard let problems = grl_instruments_begin() else { return }
    lock.withLock { diagnoseLater(String(cString: problems)) }
    free(problems)
  }
}
