import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct DequeueTests {
  typealias Mask = GRunLoop.NotificationQueue.NotificationCoalescing

  /// What is left, in the order in which it is posted.
  static let outcomes: [(Mask, [String])] = [
    (.none, ["a", "b", "a", "a", "b", "c"]),
    (.onName, ["b", "b", "c"]),
    (.onSender, ["a", "c"]),
    ([.onName, .onSender], ["b", "a", "b", "c"]),
  ]

  @Test("N5 dequeuing by name, sender or both, from all styles", arguments: outcomes)
  func masks(_ mask: Mask, _ left: [String]) async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      let posts = Posts()
      posts.watch("a", "b")
      posts.watch("c") { _ in drive.quit() }
      posts.enqueue("a", .asap, object: "one")
      posts.enqueue("b", .asap, object: "one")
      posts.enqueue("a", .asap, object: "two")
      posts.enqueue("a", .whenIdle, object: "one")
      posts.enqueue("b", .whenIdle, object: "one")
      posts.enqueue("c", .whenIdle)
      posts.queue.dequeueNotifications(
        matching: Notification(name: .init("a"), object: "one"), coalesceMask: mask)
      drive.run()
      #expect(posts.log.entries == left)
    }
  }
}
