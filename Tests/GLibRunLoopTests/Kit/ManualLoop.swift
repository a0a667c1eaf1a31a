import CGLib
import GLibRunLoop

/// Gives a task a loop that another thread runs, in a time that only the task moves, until the task is done.
@discardableResult
func withManualLoop<Value>(
  _ driver: Driver, _ body: (GRunLoop, GRunLoop.ManualClock) async throws -> Value
) async throws -> Value {
  let ready = Gate<(GRunLoop.ManualClock, ManualMainLoop)>()
  let thread = TestThread {
    GRunLoop.withManualClock(movesWhenIdle: false) { clock in
      let mainLoop = ManualMainLoop(driver)
      // Something to wait for, so that the loop stays.
      let anchor = GRunLoop.Source { _ in }
      clock.loop.add(anchor, forMode: .default)
      // From inside the run, so that a quit finds it in progress.
      clock.loop.perform { ready.open((clock, mainLoop)) }
      mainLoop.run()
      anchor.invalidate()
    }
  }
  let (clock, mainLoop) = ready.wait()
  defer {
    clock.loop.perform { mainLoop.quit() }
    thread.join()
  }
  return try await body(clock.loop, clock)
}
