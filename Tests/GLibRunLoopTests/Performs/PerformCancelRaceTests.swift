import GLibRunLoop
import Testing

@Suite struct PerformCancelRaceTests {
  @Test(
    "P5 one thread cancels while the loop runs: each one ran or did not, and those that did not never will",
    arguments: Driver.allCases)
  func race(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let (ran, cancelled) = (Log(of: Int.self), Log(of: Int.self))
      let thread = TestThread {
        for round in 0..<300 {
          let tokens = (0..<20).map { index in loop.perform(inModes: [.default]) { ran.append(round * 20 + index) } }
          for token in tokens { token.cancel() }
          let before = ran.count
          // After a full turn of the loop nothing more of them runs.
          try? loop.performAndWait {}
          let after = ran.count
          try? loop.performAndWait {}
          try? loop.performAndWait {}
          #expect(ran.count == after)
          cancelled.append(after - before)
        }
        loop.perform { drive.quit() }
      }
      drive.run(limit: .seconds(100))
      thread.join()
      #expect(Set(ran.entries).count == ran.count, "none ran twice")
      #expect(cancelled.count == 300)
    }
  }
}
