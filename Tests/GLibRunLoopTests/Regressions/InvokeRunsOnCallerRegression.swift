import CGLib
import GLibRunLoop
import Glibc
import Testing

/// While nobody owned a context, as at start-up, what another thread invoked on it ran on that other thread, beside
/// the one that it was meant for. (The main loop's is among the scenarios.)
/// https://github.com/darktable-org/darktable/pull/22146
/// https://github.com/darktable-org/darktable/issues/22357
@Suite struct InvokeRunsOnCallerRegression {
  @Test(
    "L6, P1, P7 before the loop runs for the first time, nothing runs on the caller's thread (darktable)",
    arguments: Driver.allCases)
  func waits(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let own = pthread_self()
      let log = Log(of: String.self)
      let note: @Sendable (String) -> Void = { log.append(pthread_self() == own ? $0 : "\($0) elsewhere") }
      // This thread is at its start-up, and its context is not iterated.
      TestThread {
        let box = Unmanaged.passRetained(Note(note: note)).toOpaque()
        g_main_context_invoke(
          loop.context,
          { box in
            Unmanaged<Note>.fromOpaque(box!).takeRetainedValue().note("invoked")
            return 0
          }, box)
        loop.perform { note("performed") }
        #expect(log.count == 0)
      }.join()
      #expect(log.count == 0)
      loop.perform(after: .milliseconds(5)) { drive.quit() }
      drive.run()
      #expect(Set(log.entries) == ["invoked", "performed"])
    }
  }

  @Test(
    "L2, P3, P7 nor of what is performed on the main loop, whose context nobody owns until it runs",
    arguments: MainDriver.allCases)
  func mainContext(_ driver: MainDriver) async throws { try await runScenario("InvokeBeforeMainLoopRuns", driver) }

  private final class Note: Sendable {
    let note: @Sendable (String) -> Void
    init(note: @escaping @Sendable (String) -> Void) { self.note = note }
  }
}
