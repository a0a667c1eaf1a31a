import GLibRunLoop
import Testing

@Suite struct BackgroundGroupTests {
  typealias Task = GRunLoop.BackgroundTask

  @Test("A5 a group is done after the post of its last task, once", arguments: pairs(Driver.allCases, [1, 3, Int.max]))
  func last(_ driver: Driver, _ limit: Int) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let running = Locked((now: 0, most: 0))
      var log: [Int] = []
      let tasks = (0..<10).map { number in
        Task(
          background: {
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            try await _Concurrency.Task.sleep(for: .microseconds(200 * (10 - number)))
            running.withLock { $0.now -= 1 }
          }, post: { (_: Result<Void, any Error>) in log.append(number) })
      }
      Task(
        group: tasks, atOnce: limit, pre: { log.append(-1) },
        post: { result in
          #expect(throws: Never.self) { try result.get() }
          log.append(10)
          drive.loop.perform { drive.quit() }
        }
      ).start()
      drive.run()
      #expect(log.first == -1 && log.last == 10)
      #expect(log.sorted() == Array(-1...10))
      #expect(running.withLock { $0.most } <= limit)
      if limit == 1 { #expect(log == Array(-1...10)) }
    }
  }

  @Test("A5 a group of none is done at once, and one of some that are over or under way", arguments: Driver.allCases)
  func noneAndSome(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      Task(group: [], post: { _ in log.append("none") }).start()
      let release = Gate<Void>()
      let over = Task(background: {}, post: { _ in log.append("over") })
      let underWay = Task(background: { release.wait() }, post: { _ in log.append("under way") })
      over.start()
      underWay.start()
      over.wait()
      let group = Task(
        group: [over, underWay],
        post: { _ in
          log.append("some")
          drive.quit()
        })
      group.start()
      release.open()
      drive.run()
      #expect(Set(log.prefix(2)) == ["none", "over"])
      #expect(log.suffix(2) == ["under way", "some"])
    }
  }

  @Test("A5, A4 cancelling a group cancels them all; those that had not begun never do", arguments: Driver.allCases)
  func cancel(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      let begun = Gate<Void>()
      let tasks = (0..<5).map { number in
        Task(
          background: {
            log.append("begins \(number)")
            begun.open()
            try await _Concurrency.Task.sleep(for: .seconds(3600))
          }, post: { (_: Result<Void, any Error>) in log.append("post \(number)") })
      }
      let group = Task(
        group: tasks, atOnce: 1,
        post: {
          log.append("\($0)")
          drive.quit()
        })
      group.start()
      begun.wait()
      group.cancel()
      drive.run()
      #expect(
        log.entries == ["begins 0"] + (0..<5).map { "post \($0)" } + ["failure(Swift.CancellationError())"])
    }
  }

  @Test("A5, A2 a group can be waited for, and be one of a group", arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      drive.loop.perform {
        let inner = Task(
          group: (0..<3).map { _ in Task(background: {}, post: { _ in log.append("task") }) }, atOnce: 1,
          post: { _ in log.append("inner") })
        let outer = Task(group: [inner], post: { _ in log.append("outer") })
        outer.start()
        drive.loop.perform { log.append("other") }
        #expect(outer.wait(mode: "waiting"), "the tasks come in that mode, too")
        drive.loop.perform { drive.quit() }
      }
      drive.run()
      #expect(log.entries == ["task", "task", "task", "inner", "outer", "other"])
    }
  }
}
