import CGLib
import GLibRunLoop
import Testing

/// Work that posts its own successor kept the window from being drawn and the buttons from being heard.
/// https://github.com/twisted/twisted/issues/4489
/// https://github.com/twisted/twisted/issues/5067
/// https://github.com/GtkSharp/GtkSharp/issues/252
@Suite struct FloodStarvesRedrawRegression {
  @Test("R10, P2 posts that post again leave others of their priority alive (Twisted)", arguments: Driver.allCases)
  func samePriority(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      Self.flood(drive.loop, priority: .default)
      let button = BytePipe()
      var clicks = 0
      Foreign.readable(button.readEnd) {
        button.take()
        clicks += 1
        if clicks == 5 { drive.quit() } else { button.put() }
        return true
      }.attach(to: drive.loop.context)
      button.put()
      drive.run()
      #expect(clicks == 5)
    }
  }

  @Test("R10 posts at idle priority come after the redraw (Twisted, GtkSharp)", arguments: Driver.allCases)
  func idlePriority(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Self.flood(drive.loop, priority: .idle)
      var redraws = 0
      // GTK draws at this priority.
      func queueRedraw() {
        Foreign.idle(priority: 120) {
          redraws += 1
          if redraws == 5 { drive.quit() } else { queueRedraw() }
          return false
        }.attach(to: drive.loop.context)
      }
      queueRedraw()
      drive.run()
      #expect(redraws == 5)
      #expect(posts.count == 0, "a post had its turn before a redraw that was due")
    }
  }

  /// Posts work that posts itself again, for ever.
  @discardableResult
  private static func flood(_ loop: GRunLoop, priority: GRunLoop.Priority) -> Log<Int> {
    let posts = Log(of: Int.self)
    @Sendable func post() {
      loop.perform(priority: priority) {
        posts.append(1)
        post()
      }
    }
    for _ in 0..<10 { post() }
    return posts
  }
}
