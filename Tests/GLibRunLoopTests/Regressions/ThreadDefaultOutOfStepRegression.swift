import CGLib
import GLibRunLoop
import Testing

/// A context was made the thread-default one and not taken back on every way out: the caller's stack was corrupted.
/// https://github.com/flatpak/flatpak/pull/1731
/// https://github.com/fwupd/fwupd/pull/2605
@Suite struct ThreadDefaultOutOfStepRegression {
  struct Refused: Error {}

  @Test(
    "L2, L6 after every way out of a run the thread-default context is what it was (flatpak, fwupd)",
    arguments: Driver.allCases)
  func restored(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let before = g_main_context_get_thread_default()
      #expect(before == loop.context)
      func checked(_ what: String, _ body: () -> Void) {
        let outer = g_main_context_get_thread_default()
        body()
        #expect(g_main_context_get_thread_default() == outer, "after \(what)")
      }
      let ways: () -> Void = {
        checked("a finished run") { loop.run(mode: "empty", for: .seconds(30)) }
        checked("a poll") { loop.run(mode: .default, for: .zero) }
        for mode: GRunLoop.Mode in [.default, .modalPanel, "private"] {
          loop.perform(inModes: [mode]) { loop.stop() }
          checked("a stop in \(mode)") { loop.run(mode: mode, for: .seconds(30)) }
          loop.perform(inModes: [mode]) {
            checked("a nested run") { loop.run(mode: "private", for: .milliseconds(1)) }
          }
          checked("a handled source") { loop.run(mode: mode, for: .seconds(30), returnAfterSourceHandled: true) }
        }
        checked("an error") { #expect(throws: Refused.self) { try loop.performAndWait { throw Refused() } } }
      }
      checked("the driver's run") {
        Foreign.idle {
          ways()
          // Not sooner: it would end one of the runs inside.
          loop.perform { drive.quit() }
          return false
        }.attach(to: loop.context)
        drive.run()
      }
      ways()
    }
  }

  @Test("L2 the user's own push and pop inside a call-back balance", arguments: Driver.allCases)
  func usersOwn(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      nonisolated(unsafe) let own = g_main_context_new()!
      let loop = drive.loop
      loop.perform(inModes: [.default]) {
        g_main_context_push_thread_default(own)
        loop.run(mode: .modalPanel, for: .milliseconds(1))
        #expect(g_main_context_get_thread_default() == own)
        g_main_context_pop_thread_default(own)
        #expect(g_main_context_get_thread_default() == loop.context)
        drive.quit()
      }
      drive.run()
      g_main_context_unref(own)
    }
  }
}
