import CGLib
import CRunLoopShims
import Synchronization

// Where the engine tells the instruments what it does. While none is on, each place costs one load and a branch that is
// not taken; the rest is out of line.

extension GRunLoop {
  /// A call-back begins. What is returned goes to `callEnds`.
  @inline(__always)
  func callBegins(_ kind: Probe.Kind, _ item: @autoclosure () -> Item? = nil, detail: @autoclosure () -> UInt32 = 0)
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
  func runEnds(_ depth: Int) { if depth != 0 { existingProbe?.endRun(depth) } }

  @inline(__always)
  func passBegins() { if grl_instrumented() { probeBeginsPass() } }

  /// Before the kernel is asked; `pollEnds` comes after it.
  @inline(__always)
  func pollBegins(sleeps: Bool) { if grl_instrumented() { activeProbe?.beginPoll(sleeps: sleeps) } }

  /// - Parameter isForeign: GLib will dispatch what it finds, and tell nobody.
  @inline(__always)
  func pollEnds(isForeign: Bool) { if grl_instrumented() { activeProbe?.endPoll(isForeign: isForeign) } }

  /// Under the lock, after a sleep, when it is known what is ready.
  @inline(__always)
  func wakeIsKnown(foreign: Bool, otherwise: WakeReasons) {
    if grl_instrumented() { probeWoken(foreign, otherwise) }
  }

  /// GLib dispatches the engine's source.
  @inline(__always)
  func hostTurnBegins() { if grl_instrumented() { activeProbe?.endForeignWork() } }

  /// GLib goes on to other sources.
  @inline(__always)
  func hostTurnEnds() { if grl_instrumented() { activeProbe?.beginForeignWork() } }

  /// This thread wakes the loop. What is returned goes to `wakeEnds`.
  @inline(__always)
  func wakeBegins() -> Probe.Wake { grl_instrumented() ? activeProbe?.beginWake() ?? .none : .none }

  @inline(__always)
  func wakeEnds(_ wake: Probe.Wake) { if wake.number != 0 { existingProbe?.end(wake) } }

  // MARK: While an instrument is on

  /// This loop's, if it was ever looked at.
  var existingProbe: Probe? {
    // Acquiring: pairs with the store in `Probe.make`.
    probePointer.load(ordering: .acquiring).map { Unmanaged<Probe>.fromOpaque($0).takeUnretainedValue() }
  }

  /// This loop's, made if it is not there.
  var probe: Probe { existingProbe ?? Probe.make(for: self) }

  /// The one to tell, if an instrument looks at this loop.
  private var activeProbe: Probe? { !isForked && isInstrumented ? probe : nil }

  private var isInstrumented: Bool { Trace.isOn || existingProbe?.isWatched ?? false }

  @inline(never)
  private func probeBegins(_ kind: Probe.Kind, _ item: Item?, _ detail: UInt32) -> Int {
    guard let probe = activeProbe else { return 0 }
    var lateness: Int64 = -1
    if let timer = item as? Timer {
      let date = timer.fireDate
      // No call is late for the distant past.
      if date.nanoseconds > .min { lateness = max(0, date.timebase.now.subtractingSaturated(date.nanoseconds)) }
    }
    let label = item.flatMap(Labels.of)?.number ?? Labels.none
    return probe.begin(kind, label, in: stateInForce, lateness: lateness, detail: detail)
  }

  @inline(never)
  private func probeBegins(_ details: PerformDetails?) -> Int {
    guard let probe = activeProbe else { return 0 }
    let lateness = details?.origin.map { max(0, grl_now(CLOCK_MONOTONIC) - $0.date) } ?? -1
    let label = Label(name: details?.name, place: details?.origin?.place)
    return probe.begin(.perform, Labels.number(of: label), in: stateInForce, lateness: lateness, detail: 0)
  }

  @inline(never)
  private func probeBegins(_ function: UInt) -> Int {
    guard let probe = activeProbe else { return 0 }
    let label = Labels.number(of: Label(function: function))
    return probe.begin(.perform, label, in: stateInForce, lateness: -1, detail: 0)
  }

  @inline(never)
  private func probeEnds(_ depth: Int) { if !isForked { existingProbe?.end(depth) } }

  @inline(never)
  private func probeBeginsRun() -> Int {
    guard let probe = activeProbe else { return 0 }
    let (state, isOnly) = lock.withLock { (scope.state, activations.count == 1) }
    return probe.beginRun(in: state, isOutermost: isOnly && g_main_depth() == 0)
  }

  @inline(never)
  private func probeBeginsPass() {
    guard let probe = activeProbe else { return }
    settleChain()
    let (state, performs) = lock.withLock {
      var performs = 0
      scope.forEach { performs += $0.performs.waiting }
      return (scope.state, performs)
    }
    probe.beginPass(passNumber, in: state, performs: performs)
  }

  func setCollectsMetrics(_ on: Bool) {
    guard probe.collectMetrics(on) else { return }
    grl_instruments_change(on ? 1 : -1)
    tellOfInstruments()
  }

  /// An instrument of this loop was switched on or off: its thread does what that takes.
  func tellOfInstruments() {
    chore { [unowned self] in
      settleChain()
      existingProbe?.settle()
    }
  }

  /// On the loop's thread: its poll function is there while an instrument looks, since nothing else tells of sleeps
  /// when GLib drives.
  func settleChain() {
    guard let probe = existingProbe, !isForked else { return }
    lock.withLock {
      guard probe.isChained != isInstrumented, !hasEnded else { return }
      probe.isChained.toggle()
      countWaitingObserver(probe.isChained ? 1 : -1)
    }
  }

  private var stateInForce: ModeState { lock.withLock { scope.state } }

  @inline(never)
  private func probeWoken(_ foreign: Bool, _ otherwise: WakeReasons) {
    existingProbe?.woken(by: wakeReasons(foreign, otherwise))
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
}
