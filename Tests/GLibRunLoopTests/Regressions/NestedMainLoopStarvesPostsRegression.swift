import CGLib
import GLibRunLoop
import Testing

/// Work was queued before or inside a main loop that ran in one of the queue's own call-backs: it was served only when
/// that main loop had ended.
/// https://github.com/romgrk/node-gtk/issues/121
/// https://github.com/romgrk/node-gtk/issues/273
/// https://github.com/romgrk/node-gtk/issues/430
@Suite struct NestedMainLoopStarvesPostsRegression {
  @Test(
    "P2, R6, L6 posts are served in a main loop that a call-back runs (node-gtk)",
    arguments: pairs(Driver.allCases, Work.allCases))
  func served(_ driver: Driver, _ outer: Work) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      nonisolated(unsafe) let dialog = g_main_loop_new(loop.context, 0)!
      outer.makeReady {
        loop.perform { log.append("first") }
        loop.perform {
          loop.perform {
            log.append("of a post")
            g_main_loop_quit(dialog)
          }
        }
        g_main_loop_run(dialog)
        log.append("ended")
        drive.quit()
      }
      // Queued already when that main loop begins, for a perform even in the same batch.
      loop.perform { log.append("before") }
      drive.run()
      #expect(log.entries == ["before", "first", "of a post", "ended"])
      g_main_loop_unref(dialog)
    }
  }
}
