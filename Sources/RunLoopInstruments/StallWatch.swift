import CRunLoopShims
import GLibRunLoop

/// What a stall detector's thread does.
///
/// While the loop turns, it looks four times within the limit. When it has seen the loop wait, with no turn in between,
/// it sleeps until the loop's thread, which begins a turn, wakes it: an active loop pays for that seldom, an idle one
/// never.
///
/// Time is counted as this thread sees it go by. When it is called much later than it asked for, it was not running
/// itself, because the process was stopped or the machine busy with something else, and that is no fault of the call-back's.
final class StallWatch: @unchecked Sendable {
  // Invariant for @unchecked: what stands under "guarded by the probe's lock" is; the rest does not change, or is the
  // thread's own.

  let semaphore = grl_semaphore_make()!
  private let limit: Int64
  private let takesStacks: Bool
  private let report: GRunLoop.StallDetector.Report

  // MARK: Guarded by the probe's lock

  /// The loop's thread must raise the semaphore when a turn begins.
  var isIdle = true
  /// The turn that was reported; the loop's thread must raise the semaphore when it ends.
  var reported: UInt64?
  /// When it ended.
  var end: Int64?
  var isStopped = false

  // MARK: The thread's own

  private var lastTurn: UInt64 = 0
  private var lastLook: Int64 = 0
  /// How long it meant to sleep.
  private var planned: Int64 = 0
  /// How much of the turn's time has gone by while this thread ran, too.
  private var counted: Int64 = 0
  private var alarmDate: Int64 = 0
  private var lastStall: GRunLoop.Stall?

  init(limit: Int64, takesStacks: Bool, report: GRunLoop.StallDetector.Report) {
    self.limit = limit
    self.takesStacks = takesStacks
    self.report = report
  }

  deinit { grl_semaphore_free(semaphore) }

  private var slice: Int64 { max(500_000, limit / 4) }

  private enum Step {
    case sleep, wait(Int64), alarm(LoopProbe.Look), over(Int64), stop
  }

  /// One look after another, until there is nothing to look at. False ends the thread.
  func turn(_ probe: LoopProbe) -> Bool {
    // It was woken as a turn began; how long ago that is says nothing.
    lastLook = grl_now(CLOCK_MONOTONIC)
    planned = 0
    while true {
      switch look(probe) {
      case .sleep: return true
      case .stop: return false
      case .wait(let length):
        planned = length
        _ = grl_semaphore_wait(semaphore, length)
      case .alarm(let look): alarm(look, probe)
      case .over(let duration): sayOver(duration)
      }
    }
  }

  private func look(_ probe: LoopProbe) -> Step {
    let now = grl_now(CLOCK_MONOTONIC)
    // The clock may step back.
    let gone = max(0, min(now - lastLook, planned))
    lastLook = now
    planned = 0
    return probe.lock.withLock {
      if isStopped { return .stop }
      if reported != nil {
        guard let end else { return .sleep }
        self.end = nil
        reported = nil
        return .over(counted + max(0, end - alarmDate))
      }
      guard let start = probe.turnStart else {
        if probe.turn == lastTurn {
          isIdle = true
          return .sleep
        }
        lastTurn = probe.turn
        return .wait(slice)
      }
      counted = probe.turn == lastTurn ? counted + gone : max(0, min(now - start, gone))
      lastTurn = probe.turn
      if counted < limit { return .wait(min(slice, limit - counted)) }
      reported = probe.turn
      alarmDate = now
      return .alarm(probe.look(at: now))
    }
  }

  // MARK: Reports

  private func alarm(_ look: LoopProbe.Look, _ probe: LoopProbe) {
    lastStall = nil
    var stack = takesStacks ? StackOfThread(look.thread, isAllowed: look.allowsStacks) : nil
    if probe.lock.withLock({ probe.turn != look.turn || probe.turnStart == nil }) { stack = nil }
    // GLib dispatches nothing there: nobody runs the context any more.
    if look.record == nil, !look.isSwiftRun, let stack, stack.depth == 0 { return }
    let record = look.record ?? Record(kind: .call(.foreignWork), thread: look.thread, start: 0)
    let label = Labels[record.label]
    let stall = GRunLoop.Stall(
      kind: record.kind.name, name: label.name ?? Symbols.name(of: label.function) ?? stack?.source,
      place: label.place?.text, mode: look.mode, duration: .nanoseconds(counted),
      callbackDuration: look.record.map { .nanoseconds(max(0, min(counted, alarmDate - $0.start))) },
      callbacks: look.calls,
      stack: stack?.lines ?? [], thread: ThreadNames.title(look.thread), isOver: false)
    lastStall = stall
    report.give(stall)
  }

  private func sayOver(_ duration: Int64) {
    guard let stall = lastStall else { return }
    lastStall = nil
    report.give(stall.over(.nanoseconds(duration)))
  }
}
