import CGLib
import GLibRunLoop
import Testing

/// A pass has taken several things that are ready; the call-back of the first one runs a GLib loop until the second has
/// had its turn. Nothing else would wake it.
@Suite struct NestedMainLoopHasTheRestTests {
  @Test("T10, T4 the timer that is due behind it fires in the nested loop", arguments: Driver.allCases)
  func timers(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let inner = g_main_loop_new(loop.context, 0)!
      defer { g_main_loop_unref(inner) }
      var log: [String] = []
      let first = GRunLoop.Timer(fireDate: .distantPast, order: 1) { _ in
        log.append("first")
        g_main_loop_run(inner)
        log.append("back")
        drive.quit()
      }
      let second = GRunLoop.Timer(fireDate: .distantPast, order: 2) { _ in
        log.append("second")
        g_main_loop_quit(inner)
      }
      loop.add(first, forMode: .common)
      loop.add(second, forMode: .common)
      drive.run()
      #expect(log == ["first", "second", "back"])
    }
  }

  @Test("P1, R6 the perform behind it runs in the nested loop; a cancelled one does not", arguments: Driver.allCases)
  func performs(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      nonisolated(unsafe) let inner = g_main_loop_new(loop.context, 0)!
      defer { g_main_loop_unref(inner) }
      let life = LifeCount()
      let cancelled = Log<GRunLoop.Perform>()
      loop.perform {
        log.append("first")
        cancelled.entries.first?.cancel()
        g_main_loop_run(inner)
        log.append("back")
        drive.quit()
      }
      let token = life.token()
      cancelled.append(
        loop.perform(inModes: [.common]) {
          token.touch()
          log.append("cancelled")
        })
      loop.perform {
        log.append("second")
        g_main_loop_quit(inner)
      }
      drive.run()
      #expect(log.entries == ["first", "second", "back"])
    }
  }
}
