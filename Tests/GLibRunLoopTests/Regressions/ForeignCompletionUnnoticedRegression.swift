import GLibRunLoop
import Testing

/// A promise was fulfilled inside a call-back of the host's, a button's say; its continuation waited until the mouse
/// moved.
/// https://github.com/jhenstridge/asyncio-glib/issues/1
/// https://github.com/jhenstridge/asyncio-glib/issues/3
/// https://github.com/ocsigen/lwt_glib/issues/4
@Suite struct ForeignCompletionUnnoticedRegression {
  @Test(
    "P1, S1, T2, R7 what a foreign call-back sets off needs no other event (asyncio-glib, lwt_glib)",
    arguments: Driver.allCases, Work.allCases)
  func goesOn(_ driver: Driver, _ work: Work) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let button = BytePipe()
      var log: [String] = []
      Foreign.readable(button.readEnd) {
        button.take()
        log.append("clicked")
        work.makeReady {
          log.append("finished")
          drive.quit()
        }
        return true
      }.attach(to: drive.loop.context)
      button.put()
      drive.run()
      #expect(log == ["clicked", "finished"])
    }
  }
}
