import GLibRunLoop
import Testing

@Suite(.patient) struct NestedProgressRegression {
  @Test(
    "A3 a progress call that runs the loop, in which another update comes, is waited for all the same",
    arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let log = Log(of: String.self)
      let (first, second, ended) = (Gate<Void>(), Gate<Void>(), Gate<Void>())
      try await loop.background { report in
        report(1)
        first.wait()
        report(2)
        second.wait()
        Task.detached {
          // Time enough for a caller that does not wait.
          try? await Task.sleep(for: .milliseconds(20))
          ended.open()
        }
      } sendableProgress: { (update: Int) in
        if update == 2 {
          log.append("inner")
          return second.open()
        }
        first.open()
        while log.count == 0 { loop.run(mode: .default, for: .seconds(1), returnAfterSourceHandled: true) }
        ended.wait()
        log.append("outer")
      }
      log.append("after")
      #expect(log.entries == ["inner", "outer", "after"])
    }
  }
}
