import GLibRunLoop
import Testing

@Suite struct BackgroundCancelTests {
  @Test(
    "A4 a task that is cancelled before it began never runs its background step",
    arguments: pairs(Driver.allCases, [false, true]))
  func before(_ driver: Driver, _ fromPre: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      var cancel: (() -> Void)?
      let task = GRunLoop.BackgroundTask(
        pre: {
          log.append("pre")
          if fromPre { cancel?() }
        }, background: { log.append("background") },
        post: {
          log.append("\($0)")
          drive.quit()
        })
      cancel = { task.cancel() }
      if !fromPre { task.cancel() }
      task.start()
      drive.run()
      cancel = nil
      #expect(log.entries == ["pre", "failure(Swift.CancellationError())"])
      #expect(task.isCancelled && task.isOver)
    }
  }

  @Test(
    "A4 one that has begun is told, waited for, and its post gets a cancellation error",
    arguments: pairs(Driver.allCases, WorkerKind.allCases))
  func during(_ driver: Driver, _ kind: WorkerKind) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      let begun = Gate<Void>()
      let task = GRunLoop.BackgroundTask(
        worker: kind.worker,
        background: {
          begun.open()
          do { try await Task.sleep(for: .seconds(3600)) } catch {}
          log.append("tidied up")
          return 42
        },
        post: {
          log.append("\($0)")
          drive.quit()
        })
      task.start()
      begun.wait()
      task.cancel()
      drive.run()
      #expect(log.entries == ["tidied up", "failure(Swift.CancellationError())"])
    }
  }

  @Test(
    "A4, A3 once it is cancelled no progress comes, and a result that is there is not told", arguments: Driver.allCases)
  func after(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      let done = Gate<Void>()
      let release = Gate<Void>()
      let task = GRunLoop.BackgroundTask(
        worker: .queue(SerialQueue.make()),
        background: { report in
          report(1)
          done.open()
          release.wait()
          report(2)
          return 42
        }, progress: { (update: Int) in log.append("\(update)") },
        post: {
          log.append("\($0)")
          drive.quit()
        })
      task.start()
      done.wait()
      task.cancel()
      release.open()
      drive.run()
      task.cancel()
      #expect(log.entries == ["failure(Swift.CancellationError())"])
    }
  }
}
