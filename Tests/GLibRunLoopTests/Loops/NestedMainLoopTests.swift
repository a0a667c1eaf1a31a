import CGLib
import GLibRunLoop
import Testing

@Suite struct NestedMainLoopTests {
  @Test("L6 a main loop of GLib's inside a handler, and a run inside a call-back", arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      Foreign.idle {
        let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in
          log.append("timer in a run in a call-back")
          let inner = g_main_loop_new(loop.context, 0)!
          let end = GRunLoop.Timer(interval: .milliseconds(1)) { _ in
            log.append("timer in a main loop in a handler")
            g_main_loop_quit(inner)
          }
          loop.add(end, forMode: .modalPanel)
          g_main_loop_run(inner)
          g_main_loop_unref(inner)
          loop.stop()
        }
        loop.add(timer, forMode: .modalPanel)
        log.append("\(loop.run(mode: .modalPanel, for: .seconds(30)))")
        drive.quit()
        return false
      }.attach(to: loop.context)
      drive.run()
      #expect(
        log.entries == ["timer in a run in a call-back", "timer in a main loop in a handler", "stopped"])
    }
  }
}
