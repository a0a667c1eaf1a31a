import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct PostingModesTests {
  typealias Style = GRunLoop.NotificationQueue.PostingStyle

  @Test("N4, N6 one waits until the loop runs in a mode of its", arguments: Driver.allCases)
  func waits(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("a", "b")
      posts.enqueue("a", .asap, modes: ["first", "second"])
      posts.enqueue("b", .asap, modes: ["third"])
      drive.poll()
      #expect(posts.log.entries.isEmpty)
      driver.poll(drive.loop, mode: "second")
      #expect(posts.log.entries == ["a"])
      driver.poll(drive.loop, mode: "first")
      #expect(posts.log.entries == ["a"])
      driver.poll(drive.loop, mode: "third")
      #expect(posts.log.entries == ["a", "b"])
    }
  }

  @Test("N4 common counts for all of its set, later members included", arguments: Driver.allCases)
  func common(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("post")
      drive.loop.addCommonMode("late")
      for mode in [GRunLoop.Mode.default, .modalPanel, .eventTracking, "late"] {
        let before = posts.log.count
        posts.enqueue("post", .asap, modes: [.common])
        driver.poll(drive.loop, mode: "private")
        #expect(posts.log.count == before)
        driver.poll(drive.loop, mode: mode)
        #expect(posts.log.count == before + 1)
      }
    }
  }

  @Test("N4 an idle one waits for its mode, too")
  func idle() async throws {
    try await onLoopThread {
      let posts = Posts()
      let loop = GRunLoop.current
      posts.watch("idle")
      posts.enqueue("idle", .whenIdle, modes: [.modalPanel])
      let anchor = GRunLoop.Source { _ in }
      loop.add(anchor, forMode: .common)
      #expect(loop.run(mode: .default, for: .milliseconds(20)) == .timedOut)
      #expect(posts.log.entries.isEmpty)
      inTime { time in
        #expect(loop.run(mode: .modalPanel, for: time) == .timedOut)
        // None comes when the run is ending.
        return posts.log.count > 0
      }
      #expect(posts.log.entries == ["idle"])
    }
  }

  @Test("N2, N4 now comes at once in its mode and outside runs, and waits in another mode", arguments: Driver.allCases)
  func now(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      let loop = drive.loop
      posts.watch("outside", "common", "later", "default")
      posts.enqueue("outside", .now, modes: ["other"])
      #expect(posts.log.entries == ["outside"])
      let timer = GRunLoop.Timer(fireDate: .now) { _ in
        posts.enqueue("later", .now, modes: [.default])
        posts.enqueue("common", .now, modes: [.common])
        #expect(posts.log.entries == ["outside", "common"])
      }
      loop.add(timer, forMode: .modalPanel)
      driver.poll(loop, mode: .modalPanel)
      #expect(posts.log.entries == ["outside", "common"])
      drive.poll()
      #expect(posts.log.entries == ["outside", "common", "later"])
      let second = GRunLoop.Timer(fireDate: .now) { _ in posts.enqueue("default", .now) }
      loop.add(second, forMode: .default)
      drive.poll()
      #expect(posts.log.entries == ["outside", "common", "later", "default"])
    }
  }
}
