import GLibRunLoop
import Testing

@Suite struct BackgroundCancelRaceTests {
  @Test("A4 a cancel from another thread may come at any moment: one post, and no hang", arguments: Driver.allCases)
  func race(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      for round in 0..<300 {
        let ran = Log(of: Int.self)
        var outcomes: [Result<Int, any Error>] = []
        let task = GRunLoop.BackgroundTask(
          background: {
            ran.append(round)
            return round
          },
          post: {
            outcomes.append($0)
            drive.quit()
          })
        let go = Gate<Void>()
        let canceller = TestThread {
          go.wait()
          task.cancel()
        }
        task.start()
        go.open()
        drive.run()
        canceller.join()
        #expect(outcomes.count == 1)
        if case .success(let value) = outcomes[0] { #expect(value == round && ran.entries == [round]) }
      }
    }
  }
}
