import Foundation
import GLibRunLoop

/// All that lives on Dispatch's main queue is served while the main loop runs, whoever drives.
@MainActor func mainQueueServed() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  let all = ["dispatch", "from a worker", "main actor", "operation", "sleep", "after"]
  let note: @MainActor @Sendable (String) -> Void = { name in
    expect(isFirstThread, "\(name) ran on another thread")
    log.append(name)
    if log.count == all.count { drive.quit() }
  }

  DispatchQueue.main.async { MainActor.assumeIsolated { note("dispatch") } }
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) { MainActor.assumeIsolated { note("after") } }
  OperationQueue.main.addOperation { MainActor.assumeIsolated { note("operation") } }
  Task { note("main actor") }
  Task {
    let start = ContinuousClock.now
    try await Task.sleep(for: .milliseconds(20))
    expect(ContinuousClock.now - start >= .milliseconds(20), "the sleep was too short")
    note("sleep")
  }
  let worker = OtherThread {
    while !loop.isWaiting { sched_yield() }
    DispatchQueue.main.async { MainActor.assumeIsolated { note("from a worker") } }
  }
  drive.run()
  worker.join()
  expectEqual(log.entries.sorted(), all.sorted(), "what ran")
}

/// Hops between the main actor and others, each from a loop that sleeps.
@MainActor func mainActorHops() {
  _ = GRunLoop.main
  actor Other { func next(_ number: Int) -> Int { number + 1 } }
  let drive = MainDrive()
  let log = Log(of: Int.self)
  Task {
    let other = Other()
    var number = 0
    while number < 200 {
      number = await other.next(number)
      expect(isFirstThread, "the main actor is on another thread")
    }
    log.append(number)
    drive.quit()
  }
  drive.run()
  expectEqual(log.entries, [200])
}
