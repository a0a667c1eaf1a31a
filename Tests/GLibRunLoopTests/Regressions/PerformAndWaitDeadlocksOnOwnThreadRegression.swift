import CGLib
import GLibRunLoop
import Testing

/// A call-back did not know that it was on the loop's thread already, posted, and waited for itself.
/// https://github.com/haskell-gi/haskell-gi/issues/116
@Suite struct PerformAndWaitDeadlocksOnOwnThreadRegression {
  @Test(
    "P3 to wait for the loop on its own thread is to call at once, in foreign call-backs too (haskell-gi)",
    arguments: Driver.allCases)
  func inline(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      nonisolated(unsafe) let dialog = g_main_loop_new(loop.context, 0)!
      Foreign.idle {
        // A dialog runs a main loop of its own; its end is told by one more call-back.
        Foreign.idle {
          log.append("destroying")
          // The limit is for a loop that would wait for itself.
          #expect(throws: Never.self) {
            try loop.performAndWait(timeout: .seconds(20)) { log.append("on the loop") }
          }
          log.append("destroyed")
          g_main_loop_quit(dialog)
          return false
        }.attach(to: loop.context)
        g_main_loop_run(dialog)
        drive.quit()
        return false
      }.attach(to: loop.context)
      drive.run()
      g_main_loop_unref(dialog)
      #expect(log.entries == ["destroying", "on the loop", "destroyed"])
    }
  }
}
