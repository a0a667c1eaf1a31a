import Dispatch
import GLibRunLoop
import Glibc

/// A block of the main queue's is one event: it is used up when the block has run. The loop sleeps again, and no later
/// run ends because of it.
@MainActor func mainQueueEventIsUsedUp() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  let poster = OtherThread {
    while !loop.isWaiting { sched_yield() }
    DispatchQueue.main.async {
      log.append("block")
      // Time for turns that must not come; not sooner, or the poster would wait for a loop that is over.
      loop.perform(after: .milliseconds(300)) { drive.quit() }
    }
  }
  let passes = Log(of: Int.self)
  let observer = GRunLoop.Observer(activities: .beforeTimers) { _, _ in passes.append(0) }
  loop.add(observer, forMode: .common)
  drive.run()
  poster.join()
  expectEqual(log.entries, ["block"])
  expect(passes.count < 30, "the loop went round \(passes.count) times for one block")
  observer.invalidate()

  drive.perform {
    for _ in 0..<3 {
      DispatchQueue.main.async { log.append("block") }
      loop.run(mode: .default, for: .zero)
      let limit = GRunLoop.Instant.now + .milliseconds(20)
      expect(loop.run(mode: .default, before: limit), "the mode was empty")
      expect(GRunLoop.Instant.now >= limit, "a run ended early, with nothing done")
      expectEqual(loop.run(mode: .default, for: .milliseconds(20)), .timedOut, "a limited run")
    }
    drive.quit()
  }
  drive.run()
  expectEqual(log.entries, Array(repeating: "block", count: 4))
}
