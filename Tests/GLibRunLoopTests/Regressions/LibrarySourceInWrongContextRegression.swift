import CGLib
import GLibRunLoop
import Testing

/// What a library started in a call-back went to a context that nobody on this thread iterated, and was never heard of.
/// https://github.com/savonet/ocaml-gstreamer/issues/12
/// https://github.com/insight-platform/savant-rs/pull/293
@Suite struct LibrarySourceInWrongContextRegression {
  @Test(
    "L2, M2, M6 what a library starts is heard by the run that it is started in (GStreamer)",
    arguments: Driver.allCases, [GRunLoop.Mode.default, .modalPanel, "private"])
  func heard(_ driver: Driver, in mode: GRunLoop.Mode) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      loop.perform {
        loop.perform(inModes: [mode]) {
          // A bus watch, say.
          Foreign.timeout(milliseconds: 1) {
            log.append("heard in \(loop.currentMode ?? "no mode")")
            loop.stop()
            return false
          }.attach(to: g_main_context_get_thread_default()!)
        }
        let wait = GRunLoop.Source { _ in }
        loop.add(wait, forMode: mode)
        log.append("\(loop.run(mode: mode, for: .seconds(30)))")
        wait.invalidate()
        drive.quit()
      }
      drive.run()
      #expect(log.entries == ["heard in \(mode)", "stopped"])
    }
  }
}
