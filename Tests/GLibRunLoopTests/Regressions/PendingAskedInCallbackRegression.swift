import CGLib
import GLibRunLoop
import Testing

/// A call-back asked whether events are pending, as GUI toolkits do before they idle: the sources that were found ready
/// then lost their turn, or were never freed.
/// https://github.com/wxWidgets/wxWidgets/issues/23364
@Suite struct PendingAskedInCallbackRegression {
  @Test(
    "O5, S1, P1 whoever asks in a call-back what is pending takes nothing away (wxWidgets)",
    arguments: pairs(Driver.allCases, Work.allCases))
  func nothingLost(_ driver: Driver, _ work: Work) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      var served = 0
      let rounds = 20
      func round() {
        work.makeReady {
          // More of it is ready when the question comes.
          work.makeReady {
            served += 1
            if served == rounds { drive.quit() } else { round() }
          }
          for _ in 0..<3 { _ = g_main_context_pending(loop.context) }
        }
      }
      round()
      drive.run()
      #expect(served == rounds)
    }
  }
}
