import GLibRunLoop
import Testing

@Suite struct RefusedMemberRegression {
  @Test("A5 a group posts though a member cannot be started, and says which", arguments: Driver.allCases, [[], [""]])
  func refused(_ driver: Driver, _ modes: [String]) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      func task(_ name: String, _ modes: [GRunLoop.Mode] = [.common]) -> GRunLoop.BackgroundTask {
        GRunLoop.BackgroundTask(
          inModes: modes, background: {}, post: { (_: Result<Void, any Error>) in log.append(name) })
      }
      let members = [task("first"), task("refused", modes.map { GRunLoop.Mode(rawValue: $0) }), task("last")]
      let group = GRunLoop.BackgroundTask(group: members, atOnce: 1) { result in
        #expect(throws: GRunLoop.Failure.self) { try result.get() }
        log.append("group")
        drive.quit()
      }
      var warnings: [String] = []
      warnings += CapturedWarnings.during {
        group.start(); drive.run(limit: .seconds(60))
      }
      #expect(log == ["first", "last", "group"])
      #expect(warnings.count == 1 && warnings[0].contains("left out of its group"))
    }
  }
}
