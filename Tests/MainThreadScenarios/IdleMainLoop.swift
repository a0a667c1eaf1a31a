import Dispatch
import GLibRunLoop
import Glibc

/// An idle main loop sleeps: the kernel counts how often the thread let go of the processor of its own will.
@MainActor func idleMainLoop() {
  let drive = MainDrive()
  let loop = GRunLoop.main
  // Dispatch's and the concurrency runtime's first steps are not the idle loop's.
  DispatchQueue.main.async { drive.quit() }
  drive.run()
  watchSilentPipe()
  var switches = 0
  // What a busy machine does can only add to the count, unless it makes the loop come too late to sleep at all.
  for _ in 0..<10 where switches < 1 || switches > 4 {
    let counts = Log(of: Int.self)
    drive.perform {
      counts.append(voluntarySwitches())
      loop.perform(after: .seconds(3)) {
        counts.append(voluntarySwitches())
        drive.quit()
      }
    }
    drive.run()
    switches = counts.entries[1] - counts.entries[0]
  }
  // One sleep, and room for a page that had to come from disk.
  expect(switches >= 1 && switches <= 4, "the thread slept \(switches) times in three idle seconds")
}

/// The same, as the loop's own observers see it: one sleep.
@MainActor func idleMainLoopObserved() {
  let drive = MainDrive()
  let loop = GRunLoop.main
  DispatchQueue.main.async { drive.quit() }
  drive.run()
  let log = Log(of: String.self)
  watchSilentPipe()
  loop.perform(after: .seconds(3)) {
    log.append("timer")
    // On a very slow machine it may come before the loop could sleep.
    if log.count > 1 { return drive.quit() }
    loop.perform(after: .seconds(30)) {
      log.append("timer")
      drive.quit()
    }
  }
  let observer = GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, activity in
    log.append(activity == .beforeWaiting ? "sleeps" : "wakes")
  }
  loop.add(observer, forMode: .common)
  drive.run()
  observer.invalidate()
  expectEqual(log.entries.drop { $0 == "timer" }.prefix { $0 != "timer" }, ["sleeps", "wakes"])
}

/// Each hop to the main queue costs the sleeping loop one wake-up.
@MainActor func oneWakeUpForEachHop() {
  let drive = MainDrive()
  let loop = GRunLoop.main
  let log = Log(of: String.self)
  let observer = GRunLoop.Observer(activities: .afterWaiting) { _, _ in log.append("wakes") }
  loop.add(observer, forMode: .common)
  let hops = 200
  let worker = OtherThread {
    let served = Gate()
    for _ in 0..<hops {
      while !loop.isWaiting { sched_yield() }
      DispatchQueue.main.async { served.open() }
      served.wait()
    }
    loop.perform { drive.quit() }
  }
  drive.run()
  worker.join()
  observer.invalidate()
  // A hop that comes before the sleep has begun, or two that meet, may make it a few less; one that wakes twice, twice as many.
  expect(log.count <= hops + hops / 4, "\(log.count) wake-ups for \(hops) hops")
}

/// Something that might tempt a loop to look now and then.
@MainActor private func watchSilentPipe() {
  let input = GRunLoop.DescriptorSource(fileDescriptor: Pipe().readEnd, events: .readable) { _, _ in
    fail("a silent pipe fired")
  }
  GRunLoop.main.add(input, forMode: .common)
}

func voluntarySwitches() -> Int {
  var usage = rusage()
  getrusage(1, &usage)  // RUSAGE_THREAD, which Glibc's module lacks.
  return usage.ru_nvcsw
}
