import GLibRunLoop
import Testing

/// A repeating timer with an interval of nearly nothing crashed the program; others would have starved it.
/// https://github.com/Hammerspoon/hammerspoon/issues/1588
@Suite struct TinyIntervalRegression {
  @Test(
    "T6, R10 an interval of nearly nothing is harmless (Hammerspoon)",
    arguments: Driver.allCases,
    [Duration(secondsComponent: 0, attosecondsComponent: 100_000_000), .zero, .nanoseconds(1)])
  func harmless(_ driver: Driver, interval: Duration) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var fires = 0
      var others: Set<String> = []
      func note(_ other: String) { others.insert(other) }
      let tiny = GRunLoop.Timer(interval: interval, repeats: true) { _ in
        fires += 1
        // A slow machine finds all of them due in one pass.
        if others.count == 3 && fires > 1 { drive.quit() }
      }
      drive.loop.add(tiny, forMode: .default)
      drive.loop.add(GRunLoop.Timer(interval: .milliseconds(10)) { _ in note("timer") }, forMode: .default)
      Foreign.timeout(milliseconds: 10) {
        note("foreign")
        return false
      }.attach(to: drive.loop.context)
      nonisolated(unsafe) let performed = { note("perform") }
      drive.loop.perform(after: .milliseconds(10)) { performed() }
      drive.run()
      tiny.invalidate()
      #expect(fires > 1)
      #expect(others.count == 3)
    }
  }
}
