import CGLib
import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct NeverSleepsOnQueuedTests {
  static let cases = Driver.allCases.flatMap { driver in
    [GRunLoop.NotificationQueue.PostingStyle.asap, .whenIdle].map { (driver, $0) }
  }

  @Test("N2, O6, R7 one that is queued just before the sleep is posted without sleeping", arguments: cases)
  func beforeSleep(_ driver: Driver, _ style: GRunLoop.NotificationQueue.PostingStyle) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("late") { _ in drive.quit() }
      let observer = GRunLoop.Observer(activities: .beforeWaiting, repeats: false) { _, _ in
        posts.enqueue("late", style)
        // A run of another mode takes the loop's wake-ups with it.
        let other = GRunLoop.Timer(fireDate: .now) { _ in }
        drive.loop.add(other, forMode: "other")
        drive.loop.wakeUp()
        drive.loop.run(mode: "other", for: .seconds(60))
      }
      drive.loop.add(observer, forMode: .default)
      drive.run()
      #expect(posts.log.entries == ["late"])
    }
  }

  @Test("N6, R7 one that is queued in a call-back that GLib made is posted", arguments: cases)
  func foreign(_ driver: Driver, _ style: GRunLoop.NotificationQueue.PostingStyle) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("post") { _ in drive.quit() }
      Foreign.timeout(milliseconds: 5) {
        posts.enqueue("post", style)
        return false
      }.attach(to: drive.loop.context)
      drive.run()
      #expect(posts.log.entries == ["post"])
    }
  }

  @Test("N4, R8 a loop sleeps while all that is queued waits for another mode", arguments: cases)
  func otherMode(_ driver: Driver, _ style: GRunLoop.NotificationQueue.PostingStyle) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("post")
      posts.enqueue("post", style, modes: ["other"])
      let iterations = Iterations(of: drive.loop.context)
      #expect(iterations.during { drive.run(for: .milliseconds(100)) } < 20)
      #expect(posts.log.entries.isEmpty)
    }
  }

  @Test("N1, R8 a queue with nothing in it leaves nothing in the loop", arguments: cases)
  func nothing(_ driver: Driver, _ style: GRunLoop.NotificationQueue.PostingStyle) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      let before = drive.loop.debugDescription
      posts.watch("post") { _ in drive.quit() }
      posts.enqueue("post", style)
      #expect(drive.loop.debugDescription != before)
      drive.run()
      posts.enqueue("post", style, modes: ["other"])
      posts.queue.dequeueNotifications(matching: Notification(name: .init("post")), coalesceMask: .onName)
      #expect(drive.loop.nextFireDate(in: "other") == nil)
      #expect(drive.loop.nextFireDate(in: .default) == nil)
      #expect(!drive.loop.debugDescription.contains("Observer"))
      #expect(!drive.loop.debugDescription.contains("Timer"))
    }
  }
}
