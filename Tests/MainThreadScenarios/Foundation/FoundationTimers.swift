import Foundation
import GLibRunLoop
import RunLoopFoundation

/// Foundation's own timers fire on the main thread, in their mode, whoever drives.
@MainActor func foundationTimers() {
  GRunLoop.serveFoundation()
  let drive = MainDrive()
  let log = Log(of: String.self)
  let start = Date()
  let once = Timer.scheduledTimer(withTimeInterval: 0.02, repeats: false) { _ in
    expect(isFirstThread, "a timer fired on another thread")
    expectEqual(RunLoop.current.currentMode, .default, "the mode inside a call-back")
    expect(Date().timeIntervalSince(start) >= 0.02, "a timer fired early")
    log.append("once")
  }
  let ticks = Timer.scheduledTimer(withTimeInterval: 0.005, repeats: true) { _ in log.append("tick") }
  let stopped = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { _ in fail("an invalidated timer fired") }
  stopped.invalidate()
  drive.quitWhen { log.entries.contains("once") && log.entries.filter { $0 == "tick" }.count >= 5 }
  drive.run()
  expect(!once.isValid, "a one-shot is valid after it fired")
  ticks.invalidate()
  expectEqual(log.entries.filter { $0 == "once" }.count, 1, "calls of a one-shot")
}

/// Nothing else is there that could wake the loop.
@MainActor func foundationTimerAlone() {
  GRunLoop.serveFoundation()
  let drive = MainDrive()
  _ = Timer.scheduledTimer(withTimeInterval: 0.03, repeats: false) { _ in MainActor.assumeIsolated { drive.quit() } }
  drive.run()
}

/// A sleeping loop learns of timers that another thread adds, and moves.
@MainActor func foundationTimerFromOtherThread() {
  GRunLoop.serveFoundation()
  let drive = MainDrive()
  let loop = GRunLoop.main
  let moved = Timer(timeInterval: 3600, repeats: false) { _ in MainActor.assumeIsolated { drive.quit() } }
  // It was made with a date in the past (Timer.init's fault in Foundation 6.3), so it is given one.
  moved.fireDate = .distantFuture
  RunLoop.main.add(moved, forMode: .default)
  nonisolated(unsafe) let timer = moved
  let added = Gate()
  let other = OtherThread {
    while !loop.isWaiting { sched_yield() }
    let first = Timer(fire: Date(), interval: 0, repeats: false) { _ in
      expect(isFirstThread, "a timer fired on another thread")
      added.open()
    }
    RunLoop.main.add(first, forMode: .default)
    added.wait()
    while !loop.isWaiting { sched_yield() }
    timer.fireDate = Date()
  }
  drive.run()
  other.join()
}

/// Without the call they do not fire: this is what it is for.
@MainActor func foundationUnserved() {
  let drive = MainDrive()
  let timer = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in fail("Foundation's loop was served")
  }
  GRunLoop.main.add(
    GRunLoop.Timer(interval: .milliseconds(50)) { (_: GRunLoop.Timer) in drive.quit() }, forMode: .common)
  drive.run()
  expect(timer.isValid, "the timer has gone")
}
