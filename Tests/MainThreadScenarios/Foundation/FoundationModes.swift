import Foundation
import GLibRunLoop
import RunLoopFoundation

/// Foundation's items fire in the mode of the same name.
@MainActor func foundationModes() {
  GRunLoop.serveFoundation()
  let loop = GRunLoop.main
  let log = Log(of: String.self)
  let own: GRunLoop.Mode = "own"
  let inDefault = Timer(fire: Date(), interval: 0.001, repeats: true) { _ in log.append("default") }
  RunLoop.main.add(inDefault, forMode: .default)
  let inCommon = Timer(fire: Date(), interval: 0.001, repeats: true) { _ in log.append("common") }
  RunLoop.main.add(inCommon, forMode: .common)
  let inOwn = Timer(fire: Date(), interval: 0.001, repeats: true) { _ in
    log.append("own")
    expectEqual(RunLoop.current.currentMode, RunLoop.Mode(own), "the mode inside a call-back")
  }
  RunLoop.main.add(inOwn, forMode: RunLoop.Mode(own))

  func expectFired(_ expected: Set<String>, in mode: GRunLoop.Mode, _ what: String) {
    let before = log.count
    let anchor = GRunLoop.Source { (_: GRunLoop.Source) in }
    loop.add(anchor, forMode: mode)
    func fired() -> Set<String> { Set(log.entries.dropFirst(before)) }
    // The limit is for a broken loop: on a slow machine the time of a run may be up in its first pass.
    let limit = GRunLoop.Instant.now + .seconds(30)
    repeat { loop.run(mode: mode, for: .milliseconds(50)) } while !fired().isSuperset(of: expected) && .now < limit
    anchor.invalidate()
    expectEqual(fired(), expected, what)
  }
  expectFired(["default", "common"], in: .default, "in the default mode")
  expectFired(["common"], in: .eventTracking, "in a common mode")
  expectFired([], in: own, "in a private mode")
  let late: GRunLoop.Mode = "late"
  loop.addCommonMode(late)
  expectFired(["common"], in: late, "in a mode that became common")
  expectFired(["default", "common"], in: .default, "in the default mode again")
}

/// A call-back of Foundation's runs the main loop: the others go on, and it is not re-entered.
@MainActor func foundationNestedRuns() {
  GRunLoop.serveFoundation()
  let drive = MainDrive()
  let log = Log(of: String.self)
  _ = Timer.scheduledTimer(withTimeInterval: 0.002, repeats: true) { outer in
    log.append("outer")
    outer.invalidate()
    _ = Timer.scheduledTimer(withTimeInterval: 0.002, repeats: false) { _ in
      log.append("middle")
      let inner = Timer(fire: Date() + 0.002, interval: 0, repeats: false) { _ in
        RunLoop.main.perform(inModes: [.common]) {
          log.append("inner")
          GRunLoop.main.stop()
        }
      }
      RunLoop.main.add(inner, forMode: .common)
      GRunLoop.main.run(mode: .eventTracking, for: .seconds(60))
      GRunLoop.main.stop()
    }
    GRunLoop.main.run(mode: .default, for: .seconds(60))
    log.append("end")
    MainActor.assumeIsolated { drive.quit() }
  }
  drive.run()
  expectEqual(log.entries, ["outer", "middle", "inner", "end"], "what fired")
}

/// A timer of Foundation's is no source: it does not end a run that waits for one.
@MainActor func foundationTimerIsNoSource() {
  GRunLoop.serveFoundation()
  // The main queue is looked at once in the first turn, which counts.
  GRunLoop.main.run(until: .distantPast)
  let log = Log(of: String.self)
  let ticks = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { _ in log.append("tick") }
  let source = GRunLoop.Source { (_: GRunLoop.Source) in log.append("source") }
  GRunLoop.main.add(source, forMode: .default)
  GRunLoop.main.add(
    GRunLoop.Timer(interval: .milliseconds(20), repeats: true) { (timer: GRunLoop.Timer) in
      // On a slow machine both are due in the first pass.
      guard log.entries.contains("tick") else { return }
      timer.invalidate()
      source.signal()
    }, forMode: .default)
  expect(GRunLoop.main.run(mode: .default, before: Date.distantFuture), "there was nothing to wait for")
  expect(log.entries.first == "tick", "no timer fired before")
  // On a slow machine one more may be due by the end of the source's pass.
  expect(log.entries.contains("source"), "the run ended before its source: \(log.entries.last ?? "nothing fired")")
  ticks.invalidate()
}
