import GLibRunLoop
import Testing

@Suite struct NestedWaitTests {
  @Test("A2, R6 a wait inside a wait: each ends with its own task", arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      drive.loop.perform {
        let release = Gate<Void>()
        let inner = GRunLoop.BackgroundTask(background: { release.wait() }, post: { _ in log.append("inner") })
        let outer = GRunLoop.BackgroundTask(background: {}, post: { _ in log.append("outer") })
        outer.start()
        let timer = GRunLoop.Timer(interval: .zero) { _ in
          inner.start()
          // The outer one's post comes in this run; it must not end it.
          while !outer.isOver { drive.loop.run(mode: .default, before: .now + .milliseconds(1)) }
          release.open()
          #expect(inner.wait())
          log.append("inner waited")
        }
        drive.loop.add(timer, forMode: .default)
        #expect(outer.wait() && outer.isOver)
        log.append("outer waited")
        drive.loop.perform { drive.quit() }
      }
      drive.run()
      // If post came before the timer, the wait was over before it.
      let isLate = log.entries == ["outer", "outer waited"]
      #expect(isLate || log.entries == ["outer", "inner", "inner waited", "outer waited"])
    }
  }
}
