import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct WhenIdleTests {
  @Test("N2, N6 idle comes when all else is done", arguments: Driver.allCases)
  func afterWork(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      let log = posts.log
      posts.watch("idle") { _ in drive.quit() }
      posts.enqueue("idle", .whenIdle)
      var left = 20
      let source = GRunLoop.Source { source in
        log.append("work")
        left -= 1
        if left > 0 { source.signal() }
      }
      drive.loop.add(source, forMode: .default)
      source.signal()
      drive.run()
      #expect(log.entries == Array(repeating: "work", count: 20) + ["idle"])
    }
  }

  @Test("N2, N6 idle does not come on a poll, nor when a run is ending", arguments: Driver.allCases)
  func notOnPoll(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("idle") { _ in drive.quit() }
      posts.enqueue("idle", .whenIdle)
      for _ in 0..<3 { drive.poll() }
      drive.loop.perform { drive.quit() }
      drive.run()
      #expect(posts.log.entries.isEmpty)
      drive.run()
      #expect(posts.log.entries == ["idle"])
    }
  }

  @Test("N2, N6 what one idle notification leads to goes before the next", arguments: Driver.allCases)
  func oneByOne(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      let log = posts.log
      let loop = drive.loop
      posts.watch("first") { _ in loop.perform { log.append("its work") } }
      posts.watch("second") { _ in drive.quit() }
      posts.enqueue("first", .whenIdle)
      posts.enqueue("second", .whenIdle)
      drive.run()
      #expect(log.entries == ["first", "its work", "second"])
    }
  }

  @Test("N2 a stop in an idle notification keeps the others back")
  func stopped() async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      let posts = Posts()
      posts.watch("first", "second") { _ in drive.quit() }
      posts.enqueue("first", .whenIdle)
      posts.enqueue("second", .whenIdle)
      drive.run()
      #expect(posts.log.entries == ["first"])
      drive.run()
      #expect(posts.log.entries == ["first", "second"])
    }
  }
}
