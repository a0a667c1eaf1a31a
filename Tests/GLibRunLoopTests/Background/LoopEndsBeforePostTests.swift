import GLibRunLoop
import Testing

@Suite struct LoopEndsBeforePostTests {
  @Test(
    "A4, L5 if the loop ends first the background step is cancelled, and the steps are freed uncalled",
    arguments: [false, true])
  func loopEnds(_ isDone: Bool) async throws {
    let life = LifeCount()
    let log = Log(of: String.self)
    let ended = Gate<Void>()
    let task = try await onLoopThread {
      let begun = Gate<Void>()
      let token = life.token()
      let task = GRunLoop.BackgroundTask(
        background: {
          if !isDone {
            begun.open()
            try? await Task.sleep(for: .seconds(3600))
            log.append(Task.isCancelled ? "cancelled" : "slept")
          }
          if isDone { begun.open() }
          ended.open()
        },
        post: { _ in
          token.touch()
          log.append("post")
        })
      task.start()
      begun.wait()
      return task
    }
    ended.wait()
    #expect(log.entries == (isDone ? [] : ["cancelled"]))
    #expect(task.isOver && task.isCancelled)
    #expect(life.value == 0)
  }

  @Test("A1, P6 the steps and what they hold are freed when the task is over", arguments: Driver.allCases)
  func freed(_ driver: Driver) async throws {
    let life = LifeCount()
    let task = try await onLoopThread {
      let drive = Drive(driver)
      let tokens = [life.token(), life.token(), life.token(), life.token()]
      let task = GRunLoop.BackgroundTask(
        pre: { tokens[0].touch() },
        background: { report in
          report(1)
          tokens[1].touch()
        }, progress: { (_: Int) in tokens[2].touch() },
        post: { (_: Result<Void, any Error>) in
          tokens[3].touch()
          drive.quit()
        })
      task.start()
      drive.run()
      return task
    }
    #expect(task.isOver)
    #expect(life.value == 0, "though the task is held")
  }
}
