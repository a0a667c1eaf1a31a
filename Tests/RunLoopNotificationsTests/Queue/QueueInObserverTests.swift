import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct QueueInObserverTests {
  @Test("N5, N6 one that is queued by an observer is posted in a later pass", arguments: Driver.allCases)
  func enqueue(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      let log = posts.log
      let passes = GRunLoop.Observer(activities: .beforeSources) { _, _ in log.append("pass") }
      drive.loop.add(passes, forMode: .default)
      posts.watch("a") { _ in
        if log.entries.filter({ $0 == "a" }).count == 3 { return drive.quit() }
        posts.enqueue("a", .asap)
        posts.enqueue("b", .whenIdle, coalesce: .onName)
      }
      posts.watch("b")
      posts.enqueue("a", .asap)
      drive.run()
      let order = log.entries.drop { $0 != "a" }
      #expect(Array(order.prefix(5)) == ["a", "pass", "a", "pass", "a"])
    }
  }

  @Test("N5 an observer may take out what is still in the line", arguments: Driver.allCases)
  func dequeue(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("a") { _ in
        posts.queue.dequeueNotifications(matching: Notification(name: .init("b")), coalesceMask: .onName)
      }
      posts.watch("b", "c")
      for name in ["a", "b", "c", "b"] { posts.enqueue(name, .asap) }
      drive.poll()
      #expect(posts.log.entries == ["a", "c"])
    }
  }

  @Test("N5, R6 an observer may run the loop, which goes on posting", arguments: Driver.allCases, [false, true])
  func nested(_ driver: Driver, _ areIdle: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      let style: GRunLoop.NotificationQueue.PostingStyle = areIdle ? .whenIdle : .asap
      let loop = drive.loop
      posts.watch("modal") { _ in
        posts.enqueue("new", style)
        loop.run(mode: .default, for: .seconds(60))
        posts.log.append("end of modal")
      }
      posts.watch("rest")
      posts.watch("new") { _ in loop.stop() }
      posts.watch("last") { _ in drive.quit() }
      posts.enqueue("modal", style)
      posts.enqueue("rest", style)
      let check = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { timer in
        guard posts.log.entries.contains("end of modal") else { return }
        timer.invalidate()
        posts.enqueue("last", style)
      }
      loop.add(check, forMode: .default)
      drive.run()
      #expect(posts.log.entries == ["modal", "rest", "new", "end of modal", "last"])
    }
  }

  @Test("N5 a sender whose deinit dequeues may die with its notification")
  func senderDies() async throws {
    try await onLoopThread {
      let posts = Posts()
      let life = LifeCount()
      posts.watch("a")
      posts.enqueue("a", .asap, object: Dying(posts.queue, life.token()))
      posts.enqueue("b", .asap, object: Dying(posts.queue, life.token()))
      #expect(life.value == 2)
      posts.queue.dequeueNotifications(matching: Notification(name: .init("b")), coalesceMask: .onName)
      #expect(life.value == 1)
      Drive(.swift).poll()
      #expect(life.value == 0)
      #expect(posts.log.entries == ["a"])
    }
  }

  private final class Dying {
    private let queue: GRunLoop.NotificationQueue
    private let token: LifeCount.Token

    init(_ queue: GRunLoop.NotificationQueue, _ token: LifeCount.Token) {
      self.queue = queue
      self.token = token
    }

    deinit {
      queue.dequeueNotifications(matching: Notification(name: .init("x"), object: "x"), coalesceMask: .onSender)
    }
  }
}
