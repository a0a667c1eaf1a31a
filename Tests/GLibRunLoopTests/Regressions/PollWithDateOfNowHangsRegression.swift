import GLibRunLoop
import Testing

/// A run whose date is now, meant as a poll, waited for an event. (The main loop's is among the scenarios.)
/// https://github.com/swiftlang/swift-corelibs-foundation/pull/2544
@Suite struct PollWithDateOfNowHangsRegression {
  @Test("R2, R3, R4 a run until now returns (swift-corelibs-foundation)", arguments: ["default", "private"])
  func returns(mode name: String) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let mode = name == "default" ? GRunLoop.Mode.default : GRunLoop.Mode(name)
      let source = GRunLoop.Source { _ in Issue.record("nobody signalled it") }
      loop.add(source, forMode: mode)
      var sleeps = 0
      let observer = GRunLoop.Observer(activities: .beforeWaiting) { _, _ in sleeps += 1 }
      loop.add(observer, forMode: mode)
      stopIfHung {
        #expect(loop.run(mode: mode, before: .now))
        #expect(loop.run(mode: mode, before: .distantPast))
        #expect(loop.run(mode: mode, for: .zero) == .timedOut)
        if mode == .default {
          loop.run(until: .now)
          loop.run(until: .now(on: .wall))
        }
      }
      // The old call for the date up to which one may sleep polls nothing, and cannot hang.
      #expect(loop.nextFireDate(in: mode) == nil)
      #expect(sleeps == 0)
      source.invalidate()
      observer.invalidate()
    }
  }

  @Test("R2, R3, R4, C1 so does one of the main loop's, with its queue idle or busy", arguments: MainDriver.allCases)
  func mainLoop(_ driver: MainDriver) async throws { try await runScenario("PollOfMainLoopReturns", driver) }
}
