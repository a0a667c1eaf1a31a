import GLibRunLoop
import Testing

@Suite struct BackgroundMisuseTests {
  @Test("A2 a step of the task's own cannot wait for it, and says so")
  func itself() async throws {
    try await onLoopThread {
      let release = Gate<Void>()
      var wait: (() -> Bool)?
      var warnings: [String] = []
      func tryIt() { warnings += CapturedWarnings.during { #expect(wait!() == false) } }
      let task = GRunLoop.BackgroundTask(
        pre: { tryIt() },
        background: { report in
          report(1)
          release.wait()
        },
        progress: { (_: Int) in
          tryIt()
          release.open()
        }, post: { (_: Result<Void, any Error>) in tryIt() })
      wait = { task.wait() }
      task.start()
      GRunLoop.current.run()
      wait = nil
      #expect(warnings.count == 3)
      for warning in warnings { #expect(warning.contains("would wait for itself")) }
    }
  }

  @Test("A2, L4 another thread cannot wait for it or start it, nor can one wait before the start")
  func elsewhere() async throws {
    try await onLoopThread {
      let task = GRunLoop.BackgroundTask(background: {}, post: { _ in })
      let early = CapturedWarnings.during { #expect(!task.wait()) }
      #expect(early.count == 1 && early[0].contains("it was not started"))
      TestThread {
        let warnings = CapturedWarnings.during {
          #expect(!task.wait())
          task.start()
        }
        #expect(warnings.count == 2)
        #expect(warnings[0].contains("only the thread of its loop can wait for it"))
        #expect(warnings[1].contains("only the thread of its loop can start it"))
      }.join()
      task.start()
      let again = CapturedWarnings.during { task.start() }
      #expect(again.count == 1 && again[0].contains("it was started before"))
      #expect(task.wait())
    }
  }

  @Test("A3 a report after the end of the background step is ignored, and says so", arguments: Driver.allCases)
  func late(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let kept = Log(of: GRunLoop.Reporter<Int>.self)
      var updates: [Int] = []
      GRunLoop.BackgroundTask(
        background: { kept.append($0) }, progress: { (update: Int) in updates.append(update) },
        post: { (_: Result<Void, any Error>) in drive.quit() }
      ).start()
      drive.run()
      let warnings = CapturedWarnings.during { kept.entries[0](1) }
      #expect(warnings.count == 1 && warnings[0].contains("after the background step had ended"))
      drive.run(for: .milliseconds(5))
      #expect(updates.isEmpty)
    }
  }

  @Test("A1 a task without a mode, and a group with a task of another loop, say so")
  func modesAndLoops() async throws {
    try await onLoopThread {
      let task = GRunLoop.BackgroundTask(inModes: [], background: {}, post: { _ in })
      let warnings = CapturedWarnings.during { task.start() }
      #expect(warnings.count == 1 && warnings[0].contains("it names no mode"))
      TestThread {
        var posted = false
        let warnings = CapturedWarnings.during {
          GRunLoop.BackgroundTask(group: [task], post: { _ in posted = true }).start()
        }
        #expect(warnings.count == 1 && warnings[0].contains("1 background tasks of other loops"))
        GRunLoop.current.run()
        #expect(posted)
      }.join()
    }
  }

  @Test("A1 the main queue is no worker")
  func mainQueue() async {
    await #expect(processExitsWith: .failure) { _ = Worker.queue(MainQueue.queue) }
  }
}
