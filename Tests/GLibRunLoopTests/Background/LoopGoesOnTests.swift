import GLibRunLoop
import Testing

@Suite struct LoopGoesOnTests {
  @Test(
    "A2 timers, sources and performs go on during the background step",
    arguments: pairs(Driver.allCases, WorkerKind.allCases))
  func notBlocked(_ driver: Driver, _ kind: WorkerKind) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let release = Gate<Void>()
      var log: [String] = []
      let source = GRunLoop.Source { _ in log.append("source") }
      drive.loop.add(source, forMode: .default)
      // The step does not end before the loop has done all of that.
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { timer in
        log.append("timer")
        if log.count == 1 { source.signal() }
        guard log.contains("source"), log.count >= 5 else { return }
        timer.invalidate()
        release.open()
      }
      drive.loop.add(timer, forMode: .default)
      GRunLoop.BackgroundTask(
        worker: kind.worker, background: { release.wait() },
        post: { _ in
          log.append("post")
          drive.quit()
        }
      ).start()
      drive.run()
      #expect(log.last == "post")
      #expect(log.count >= 6)
      source.invalidate()
    }
  }

  @Test("A2, M5 the loop stays until post was called, although it has nothing else")
  func keepsAlive() async throws {
    try await onLoopThread {
      var posted = false
      GRunLoop.BackgroundTask(
        background: { try await Task.sleep(for: .milliseconds(20)) }, post: { _ in posted = true }
      ).start()
      GRunLoop.current.run()
      #expect(posted, "the run ended when nothing was left")
    }
  }

  @Test("A1, M2 post comes in the task's modes", arguments: Driver.allCases)
  func modes(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let done = Gate<Void>()
      var posted = false
      GRunLoop.BackgroundTask(
        inModes: ["reply"], worker: .queue(SerialQueue.make()), background: { done.open() },
        post: { _ in posted = true }
      ).start()
      done.wait()
      let anchor = GRunLoop.Source { _ in }
      loop.add(anchor, forMode: .default)
      driver.poll(loop, mode: .default)
      #expect(!posted)
      while !posted { driver.poll(loop, mode: "reply") }
      anchor.invalidate()
    }
  }
}
