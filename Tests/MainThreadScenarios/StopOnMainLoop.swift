import GLibRunLoop
import Glibc

/// `stop()` ends the innermost run of the main loop, once, after its exit observers.
@MainActor func stopOnMainLoop() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  loop.add(GRunLoop.Observer(activities: .exit) { _, _ in log.append("exit") }, forMode: .common)

  // With no run in progress it is not remembered.
  loop.stop()
  drive.perform {
    // When GLib drives there is no run of ours here either; when Swift does, the drive's run goes on in `again`.
    if drive.driver != .swift { loop.stop() }
    expectEqual(loop.run(mode: .default, for: .milliseconds(20)), .timedOut, "a run after a stop without a run")
    log.append("timed out")

    // The innermost one, once.
    loop.perform(inModes: [.modalPanel]) {
      loop.perform(inModes: [.eventTracking]) { loop.stop() }
      expectEqual(loop.run(mode: .eventTracking, for: .seconds(100)), .stopped, "the inner run")
      log.append("inner")
    }
    expectEqual(loop.run(mode: .modalPanel, for: .milliseconds(50)), .timedOut, "the outer run")
    log.append("outer")

    // `run()` and `run(until:)`, too.
    loop.perform { loop.stop() }
    loop.run()
    log.append("run()")
    loop.perform { loop.stop() }
    loop.run(until: .distantFuture)
    log.append("run(until:)")
    loop.perform(after: .milliseconds(5)) { loop.stop() }
    expect(loop.run(mode: .default, before: .distantFuture), "the mode was empty")
    log.append("run(mode:before:)")
    drive.quit()
  }
  drive.run()
  let ends = ["timed out", "inner", "outer", "run()", "run(until:)", "run(mode:before:)"]
  var expected = ends.flatMap { ["exit", $0] }
  if drive.driver == .swift { expected.append("exit") }
  expectEqual(log.entries, expected)
}

/// From another thread, while the main loop sleeps.
@MainActor func stopOfMainLoopFromOtherThread() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  let next = Gate()
  let stopper = OtherThread {
    for _ in 0..<2 {
      next.wait()
      while !loop.isWaiting { sched_yield() }
      loop.stop()
    }
  }
  drive.perform {
    next.open()
    expectEqual(loop.run(mode: .default, for: .seconds(100)), .stopped, "a run that another thread stops")
    log.append("for")
    next.open()
    loop.run(until: .distantFuture)
    log.append("until")
    stopper.join()
    drive.quit()
  }
  drive.run()
  expectEqual(log.entries, ["for", "until"])
}
