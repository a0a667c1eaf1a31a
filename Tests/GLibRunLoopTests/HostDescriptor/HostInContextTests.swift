import CGLib
import GLibRunLoop
import Glibc
import Testing

// The host may be GLib itself: then the descriptor is a source of some context's.
@Suite struct HostInContextTests {
  @Test("R11 a loop lives in a context of its own inside a GLib main loop, which sleeps while it waits")
  func another() async throws {
    try await onLoopThread {
      let context = g_main_context_new()!
      let loop = GRunLoop.loop(for: context)
      let outer = g_main_context_get_thread_default() ?? GRunLoop.current.context
      let iterations = Iterations(of: outer)
      let mainLoop = g_main_loop_new(outer, 0)!
      Foreign.readable(try loop.hostDescriptor()) {
        loop.iterate()
        return true
      }.attach(to: outer)
      let log = Log(of: Int.self)
      nonisolated(unsafe) let quit = mainLoop
      loop.add(
        GRunLoop.Timer(
          interval: .milliseconds(10), repeats: true,
          sendableHandler: { timer in
            log.append(log.count)
            if log.count < 5 { return }
            timer.invalidate()
            g_main_loop_quit(quit)
          }), forMode: .default)
      let rounds = iterations.during { g_main_loop_run(mainLoop) }
      #expect(log.entries == [0, 1, 2, 3, 4])
      #expect(rounds < 50)
      g_main_loop_unref(mainLoop)
    }
  }

  @Test("R11 a descriptor that its own context polls is of no use there, and does no harm", arguments: Driver.allCases)
  func itself(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let descriptor = try drive.loop.hostDescriptor()
      let log = Log(of: String.self)
      let source = Foreign.readable(descriptor) {
        drive.loop.iterate()
        return true
      }
      // As Qt's sources in GLib's loop do. Of another one GLib would be told anew, and wake, after each call (2.74).
      g_source_set_can_recurse(source, 1)
      source.attach(to: drive.loop.context)
      let iterations = Iterations(of: drive.loop.context)
      let tick = GRunLoop.Timer(interval: .milliseconds(10), repeats: true) { _ in log.append("timer") }
      drive.loop.add(tick, forMode: .default)
      Foreign.timeout(milliseconds: 10) {
        log.append("foreign")
        return true
      }.attach(to: drive.loop.context)
      let rounds = iterations.during { drive.run(for: .milliseconds(200)) }
      tick.invalidate()
      #expect(log.entries.contains("timer") && log.entries.contains("foreign"))
      // Several for each of some forty events, and not as many as the machine can do.
      #expect(rounds < 1_000, "\(rounds)")
      g_source_destroy(source)
    }
  }
}
