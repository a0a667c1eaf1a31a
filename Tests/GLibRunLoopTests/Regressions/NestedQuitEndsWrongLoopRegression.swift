import CGLib
import GLibRunLoop
import Testing

/// To stop the innermost of several nested loops stopped them all, or one of the others.
/// https://github.com/amphp/amp/pull/309
/// https://github.com/translate/virtaal/pull/3610
@Suite struct NestedQuitEndsWrongLoopRegression {
  @Test("R5, R6 a stop ends the innermost run and no other (Amp)", arguments: Driver.allCases)
  func innermost(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      @Sendable func nest(_ depth: Int) {
        if depth == 3 { return loop.stop() }
        let mode: GRunLoop.Mode = depth == 1 ? .modalPanel : .default
        loop.perform(inModes: [mode]) { nest(depth + 1) }
        // A second stop would end this one, too; the time is what does.
        let result = loop.run(mode: mode, for: .milliseconds(depth == 2 ? 30_000 : 50))
        log.append("\(depth) \(result)")
      }
      loop.perform(inModes: [.default]) {
        loop.perform(inModes: [.default]) { nest(2) }
        log.append("0 \(loop.run(mode: .default, for: .milliseconds(50)))")
        drive.quit()
      }
      drive.run()
      #expect(log.entries == ["2 stopped", "0 timedOut"])
    }
  }

  @Test("R5, R6, L6 a GMainLoop that is quit beneath a run of ours ends when that does, and no sooner (Virtaal)")
  func quitBeneath() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      nonisolated(unsafe) let application = g_main_loop_new(loop.context, 0)!
      loop.perform {
        loop.perform(inModes: [.modalPanel]) {
          log.append("application quits")
          g_main_loop_quit(application)
        }
        loop.perform(inModes: [.modalPanel], after: .milliseconds(20)) {
          log.append("dialog closes")
          loop.stop()
        }
        log.append("dialog \(loop.run(mode: .modalPanel, for: .seconds(30)))")
      }
      g_main_loop_run(application)
      log.append("application ended")
      g_main_loop_unref(application)
      #expect(log.entries == ["application quits", "dialog closes", "dialog stopped", "application ended"])
    }
  }
}
