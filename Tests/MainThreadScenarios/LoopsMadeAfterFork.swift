import GLibRunLoop

/// A child that makes its loops itself uses them as any process does.
@MainActor func loopsMadeAfterFork() {
  let drive = MainDrive()
  expectChild {
    let log = Log(of: String.self)
    GRunLoop.main.perform { log.append("perform") }
    let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in
      log.append("timer")
      drive.quit()
    }
    GRunLoop.main.add(timer, forMode: .common)
    drive.run()
    expectEqual(log.entries, ["perform", "timer"], "the child's main loop")
    let worker = WorkerLoop()
    expectEqual(try? worker.loop.performAndWait { 42 }, 42, "the child's worker")
    worker.finish()
  }
}
