import CGLib
import GLibRunLoop
import Testing

/// What became ready between the call of the before-waiting observers and the sleep was dispatched by GLib before the
/// after-waiting ones were called.
@Suite struct AfterWaitingOvertakenTests {
  @Test(
    "O4, O5, O6 a source of GLib's that is ready before the sleep comes after the observers of its end",
    arguments: Driver.allCases, [G_PRIORITY_HIGH, G_PRIORITY_DEFAULT, G_PRIORITY_LOW])
  func madeReady(_ driver: Driver, _ priority: CInt) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      log.watch([.beforeWaiting, .afterWaiting])
      let observer = GRunLoop.Observer(activities: .beforeWaiting, repeats: false, order: 1) { _, _ in
        Foreign.idle(priority: priority) {
          log.append("foreign")
          drive.quit()
          return false
        }.attach(to: drive.loop.context)
      }
      drive.loop.add(observer, forMode: .default)
      drive.run()
      #expect(log.entries == ["beforeWaiting", "afterWaiting", "foreign"])
    }
  }

  @Test("R9 the loop is not waiting while the observers of the sleep's end are called", arguments: Driver.allCases)
  func isNotWaiting(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: Bool.self)
      let observer = GRunLoop.Observer(activities: .afterWaiting) { _, _ in log.append(drive.loop.isWaiting) }
      drive.loop.add(observer, forMode: .default)
      drive.loop.addTimerThatEndsSleeps { _ in if log.count > 2 { drive.quit() } }
      drive.run()
      #expect(!log.entries.contains(true))
    }
  }

  @Test("O5 a host that polls before it sleeps finds nothing and calls none, or what is ready behind the observers")
  func polled() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch([.beforeWaiting, .afterWaiting])
      let pipe = BytePipe()
      Foreign.readable(pipe.readEnd) {
        pipe.take()
        log.append("foreign")
        return true
      }.attach(to: loop.context)
      while log.entries.last != "beforeWaiting" { g_main_context_iteration(loop.context, 1) }
      let before = log.count
      for _ in 0..<3 {
        #expect(g_main_context_pending(loop.context) == 0)
        g_main_context_iteration(loop.context, 0)
      }
      #expect(log.count == before)
      pipe.put()
      while g_main_context_pending(loop.context) != 0 { g_main_context_iteration(loop.context, 0) }
      #expect(log.entries.dropFirst(before) == ["afterWaiting", "foreign"])
    }
  }
}
