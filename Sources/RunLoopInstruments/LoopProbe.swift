import CRunLoopShims
import GLibRunLoop
import Synchronization

/// What the instruments see of one loop.
///
/// The loop's thread says what begins and ends; whoever reads takes the lock. It is held for some instructions, and never
/// while user code runs. Order of locks: the loop's, a probe's, the traces'.
final class LoopProbe: Probe, @unchecked Sendable {
  // Invariant for @unchecked: all is guarded by `lock`, unless it says otherwise.

  /// Something that has begun and not ended.
  struct Frame: BitwiseCopyable {
    var record: Record
    /// How much of its time went to what it contains.
    var nested: Int64 = 0
  }

  let lock = Lock()
  /// Nil once it has ended, as each loop does before it goes. Not weak: an object that is ever referred to weakly is
  /// counted in a slow way for good (Swift 6.3), and the loop is counted at each call-back.
  @exclusivity(unchecked) private var loop: GRunLoop?

  @exclusivity(unchecked) private(set) var frames: [Frame] = []
  /// The thread that drives the loop, as the kernel and as the library number it.
  @exclusivity(unchecked) private(set) var thread: Int32 = 0
  @exclusivity(unchecked) private var threadNumber: UInt64 = 0
  /// It has said that its stack may be taken.
  @exclusivity(unchecked) private var allowsStacks = false
  @exclusivity(unchecked) private var modeInForce: GRunLoop.Mode?
  @exclusivity(unchecked) private var mode = Labels.none

  /// Counts the times that the loop came back from waiting.
  @exclusivity(unchecked) private(set) var turn: UInt64 = 0
  /// When the turn in progress began; nil while the loop waits, or nobody runs it.
  @exclusivity(unchecked) private(set) var turnStart: Int64?
  /// How many call-backs began since then.
  @exclusivity(unchecked) private var calls = 0
  @exclusivity(unchecked) var detectors: [GRunLoop.StallDetector] = []
  /// What is counted, while metrics are collected.
  @exclusivity(unchecked) private var counters: Counters?
  /// Who has it count: the program, and how many that look from outside.
  @exclusivity(unchecked) private var isCountedForProgram = false
  @exclusivity(unchecked) private var lookers = 0
  /// Whether an instrument looks at this loop alone. Relaxed: as the instruments' number.
  private let isUsed = Atomic<Bool>(false)
  /// Since when GLib may be dispatching sources of others.
  @exclusivity(unchecked) private var foreignSince: Int64?
  /// What ended the last sleep has not been said.
  @exclusivity(unchecked) private var isReasonDue = false
  /// The number of the wake-up that some thread gave the sleeping loop.
  @exclusivity(unchecked) private var lastWake: UInt64 = 0

  /// - Parameter loop: Nil if it has ended.
  init(loop: GRunLoop?) { self.loop = loop }

  /// The latest reading of the clock. On some virtual machines that steps back; here it stands still then.
  @exclusivity(unchecked) private var latest: Int64 = .min

  /// Under the lock.
  private func readClock() -> Int64 {
    latest = max(latest, grl_now(CLOCK_MONOTONIC))
    return latest
  }

  // MARK: What begins and ends, on the loop's thread

  func callBegins(_ call: ProbedCall) -> Int {
    begin(.call(call.kind), call.label, in: call.mode, lateness: call.lateness, detail: call.detail)
  }

  /// Returns the depth, with which its end is told.
  private func begin(
    _ kind: Record.Kind, _ label: UInt32 = Labels.none, in newMode: GRunLoop.Mode, lateness: Int64 = -1,
    detail: UInt32 = 0, number: UInt64 = 0
  ) -> Int {
    lock.withLock {
      noteThread()
      if modeInForce != newMode {
        modeInForce = newMode
        mode = Labels.number(of: Label(name: newMode.description))
      }
      push(kind, label, lateness: lateness, detail: detail, number: number, at: readClock())
      return frames.count
    }
  }

  func callEnds(_ depth: Int) {
    lock.withLock {
      let now = readClock()
      // What a nested GLib loop left open ends with the call-back around it.
      while frames.count >= depth { pop(at: now) }
      if foreignSince != nil { foreignSince = now }
    }
  }

  private func push(
    _ kind: Record.Kind, _ label: UInt32 = Labels.none, lateness: Int64 = -1, detail: UInt32 = 0, number: UInt64 = 0,
    at now: Int64
  ) {
    if kind.isCallback { calls += 1 }
    frames.append(
      Frame(
        record: Record(
          kind: kind, detail: detail, label: label, mode: mode, thread: thread, start: now, lateness: lateness,
          number: number)))
  }

  private func pop(at now: Int64) {
    var frame = frames.removeLast()
    frame.record.duration = now - frame.record.start
    if !frames.isEmpty { frames[frames.count - 1].nested += frame.record.duration }
    write(frame.record, own: frame.record.duration - frame.nested)
  }

  private func write(_ record: Record, own: Int64) {
    counters?.add(record, own: own)
    GRunLoop.Trace.record(record)
  }

  private func noteThread() {
    let number = grl_thread_number()
    if threadNumber == number { return }
    threadNumber = number
    thread = grl_thread_id()
    allowsStacks = false
    ThreadNames.note(thread)
    allowStacks()
  }

  private func allowStacks() {
    guard detectors.contains(where: \.takesStacks) else { return }
    StackOfThread.allow()
    allowsStacks = true
  }

  /// From any thread: an instrument was switched on or off. False if the loop has ended.
  @discardableResult
  func tellLoop() -> Bool {
    let loop = lock.withLock { self.loop }
    loop?.tellOfInstruments()
    return loop != nil
  }

  func settle() {
    lock.withLock {
      noteThread()
      allowStacks()
    }
  }

  func passBegins(_ number: UInt64, in mode: GRunLoop.Mode, performs: Int) {
    lock.withLock {
      let now = readClock()
      if let top, top.kind == .pass { pop(at: now) }
      counters?.beginPass(performs: performs)
    }
    _ = begin(.pass, in: mode, number: number)
  }

  private var top: Record? { frames.isEmpty ? nil : frames[frames.count - 1].record }

  func runBegins(in mode: GRunLoop.Mode, isOutermost: Bool) -> Int {
    if isOutermost {
      lock.withLock {
        let now = readClock()
        while !frames.isEmpty { pop(at: now) }
        foreignSince = nil
        beginTurn(at: now)
      }
    }
    return begin(.run, in: mode, detail: isOutermost ? 1 : 0)
  }

  func runEnds(_ depth: Int) {
    lock.withLock { if frames.count >= depth, frames[depth - 1].record.detail == 1 { endTurn(at: readClock()) } }
    callEnds(depth)
  }

  // MARK: Turns

  private func beginTurn(at now: Int64) {
    endTurn(at: now)
    turn += 1
    turnStart = now
    calls = 0
    for detector in detectors where detector.watch.isIdle {
      detector.watch.isIdle = false
      grl_semaphore_signal(detector.watch.semaphore)
    }
  }

  private func endTurn(at now: Int64) {
    guard turnStart != nil else { return }
    turnStart = nil
    for detector in detectors where detector.watch.reported == turn && detector.watch.end == nil {
      detector.watch.end = now
      grl_semaphore_signal(detector.watch.semaphore)
    }
  }

  func pollBegins(sleeps: Bool) {
    lock.withLock {
      let now = readClock()
      noteThread()
      endForeignWork(at: now)
      // GLib had something to do, and the engine was not asked.
      if isReasonDue { writeWoken(.glib, at: now) }
      endTurn(at: now)
      if sleeps { push(.sleep, at: now) }
    }
  }

  func pollEnds(isForeign: Bool) {
    lock.withLock {
      let now = readClock()
      if let top, top.kind == .sleep {
        pop(at: now)
        isReasonDue = true
      }
      beginTurn(at: now)
      if isForeign { foreignSince = now }
    }
  }

  func woken(by reasons: @autoclosure () -> WakeReasons) {
    guard lock.withLock({ isReasonDue }) else { return }
    let reasons = reasons()
    lock.withLock { if isReasonDue { writeWoken(reasons, at: readClock()) } }
  }

  private func writeWoken(_ reasons: WakeReasons, at now: Int64) {
    isReasonDue = false
    let record = Record(
      kind: .woken, detail: reasons.rawValue, mode: mode, thread: thread, start: now, number: lastWake)
    lastWake = 0
    write(record, own: 0)
  }

  // MARK: GLib's sources, when GLib drives

  /// Less than this is GLib's own turn, or nothing to look for.
  private static let leastForeignWork: Int64 = 100_000

  func foreignWorkEnds() {
    lock.withLock { endForeignWork(at: readClock()) }
  }

  func foreignWorkBegins() {
    lock.withLock { foreignSince = readClock() }
  }

  private func endForeignWork(at now: Int64) {
    guard let start = foreignSince else { return }
    foreignSince = nil
    guard now - start >= Self.leastForeignWork else { return }
    write(
      Record(kind: .call(.foreignWork), mode: mode, thread: thread, start: start, duration: now - start),
      own: now - start)
  }

  // MARK: Who looks

  var isWatched: Bool { isUsed.load(ordering: .relaxed) }

  func noteUse() {
    lock.withLock { isUsed.store(!detectors.isEmpty || counters != nil, ordering: .relaxed) }
  }

  var collectsMetrics: Bool { lock.withLock { counters != nil } }

  /// Has it count, or not, for the program or for one that looks from outside. True if that changed whether it counts.
  func collectMetrics(_ on: Bool, forProgram: Bool) -> Bool {
    let changed = lock.withLock {
      if on && loop == nil { return false }
      if forProgram { isCountedForProgram = on } else { lookers += on ? 1 : -1 }
      return settleCounters()
    }
    noteUse()
    return changed
  }

  /// Under the lock. True if that changed anything.
  private func settleCounters() -> Bool {
    let on = isCountedForProgram || lookers > 0
    if on == (counters != nil) { return false }
    counters = on ? Counters(start: readClock()) : nil
    return true
  }

  func addCounts(to metrics: inout GRunLoop.Metrics) {
    let (counters, thread, now) = lock.withLock { (self.counters, self.thread, readClock()) }
    metrics.thread = thread == 0 ? nil : ThreadNames.title(thread)
    counters?.add(to: &metrics, at: now)
  }

  /// What goes on at a moment.
  struct Look {
    let thread: Int32
    let turn: UInt64
    /// The call-back that runs, or what GLib was asked to dispatch; nil if GLib dispatches sources that nobody knows of.
    let record: Record?
    let calls: Int
    let mode: GRunLoop.Mode?
    let isSwiftRun: Bool
    let allowsStacks: Bool
  }

  /// Under the lock.
  func look(at now: Int64) -> Look {
    var record: Record?
    var isSwiftRun = false
    for index in 0..<frames.count {
      let frame = frames[index].record
      if frame.kind.isCallback || frame.kind == .call(.foreignWork) { record = frame }
      if frame.kind == .run { isSwiftRun = true }
    }
    return Look(
      thread: thread, turn: turn, record: record, calls: calls,
      mode: modeInForce, isSwiftRun: isSwiftRun, allowsStacks: allowsStacks)
  }

  func loopEnded() {
    let (loop, detectors) = lock.withLock {
      let now = readClock()
      while !frames.isEmpty { pop(at: now) }
      foreignSince = nil
      endTurn(at: now)
      defer { self.loop = nil }
      return (self.loop, self.detectors)
    }
    withExtendedLifetime(loop) {}
    for detector in detectors { detector.stop() }
    let counted = lock.withLock {
      (isCountedForProgram, lookers) = (false, 0)
      return settleCounters()
    }
    noteUse()
    if counted { grl_instruments_change(-1) }
  }

  // MARK: From other threads

  func wakeBegins() -> ProbedWake {
    lock.withLock {
      lastWake = GRunLoop.Trace.nextNumber()
      return ProbedWake(number: lastWake, start: readClock())
    }
  }

  func wakeEnds(_ wake: ProbedWake) {
    let caller = grl_thread_id()
    ThreadNames.note(caller)
    lock.withLock {
      let duration = readClock() - wake.start
      write(
        Record(
          kind: .wake, detail: UInt32(bitPattern: thread), thread: caller, start: wake.start, duration: duration,
          number: wake.number), own: 0)
    }
  }

  /// What has not ended yet.
  func openRecords() -> [Record] {
    return lock.withLock {
      let now = readClock()
      var records: [Record] = []
      for index in 0..<frames.count {
        var record = frames[index].record
        record.duration = now - record.start
        record.isOpen = true
        records.append(record)
      }
      if let start = foreignSince, now - start >= Self.leastForeignWork {
        records.append(
          Record(
            kind: .call(.foreignWork), mode: mode, thread: thread, start: start, duration: now - start, isOpen: true))
      }
      return records
    }
  }
}
