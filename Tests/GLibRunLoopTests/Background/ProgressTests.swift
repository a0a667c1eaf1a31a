import GLibRunLoop
import Testing

@Suite struct ProgressTests {
  @Test(
    "A3 progress is coalesced to one pending update, in order, and never comes after post",
    arguments: pairs(Driver.allCases, WorkerKind.allCases))
  func coalesced(_ driver: Driver, _ kind: WorkerKind) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var updates: [Int] = []
      var isPosted = false
      let task = GRunLoop.BackgroundTask(
        worker: kind.worker,
        background: { report in for number in 1...100_000 { report(number) } },
        progress: { (update: Int) in
          #expect(!isPosted)
          updates.append(update)
        },
        post: { (_: Result<Void, any Error>) in
          isPosted = true
          drive.loop.perform { drive.quit() }
        })
      task.start()
      drive.run()
      #expect(isPosted)
      #expect(updates == updates.sorted() && Set(updates).count == updates.count)
      #expect(updates.last == 100_000, "the last one is never lost")
    }
  }

  @Test("A3 a loop that is busy finds one update, the newest", arguments: Driver.allCases)
  func onePending(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let reported = Gate<Void>()
      let release = Gate<Void>()
      var updates: [Int] = []
      GRunLoop.BackgroundTask(
        background: { report in
          for number in 1...1000 { report(number) }
          reported.open()
          release.wait()
          report(1001)
        },
        progress: { (update: Int) in
          updates.append(update)
          if update == 1000 { release.open() }
        }, post: { (_: Result<Void, any Error>) in drive.quit() }
      ).start()
      // Busy until all are reported.
      reported.wait()
      drive.run()
      #expect(updates == [1000, 1001])
    }
  }

  @Test("A3, A1 a run that is nested in progress does not overtake it", arguments: Driver.allCases)
  func nestedRun(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      let first = Gate<Void>()
      GRunLoop.BackgroundTask(
        background: { report in
          report(1)
          first.wait()
          report(2)
        },
        progress: { (update: Int) in
          log.append("begin \(update)")
          if update == 1 {
            first.open()
            // Time enough for the rest of the task to arrive.
            drive.loop.run(mode: .default, for: .milliseconds(20))
          }
          log.append("end \(update)")
        },
        post: { (_: Result<Void, any Error>) in
          log.append("post")
          drive.quit()
        }
      ).start()
      drive.run()
      #expect(log == ["begin 1", "end 1", "begin 2", "end 2", "post"])
    }
  }

  @Test("A3 an update may be what is not Sendable, and those that nobody sees are freed", arguments: Driver.allCases)
  func freed(_ driver: Driver) async throws {
    let life = LifeCount()
    try await onLoopThread {
      let drive = Drive(driver)
      GRunLoop.BackgroundTask(
        background: { report in for _ in 0..<100 { report(Update(life.token())) } },
        progress: { (update: Update) in update.seen = true },
        post: { (_: Result<Void, any Error>) in drive.quit() }
      ).start()
      drive.run()
    }
    #expect(life.value == 0)
  }

  private final class Update {
    let token: LifeCount.Token
    var seen = false
    init(_ token: LifeCount.Token) { self.token = token }
  }
}
