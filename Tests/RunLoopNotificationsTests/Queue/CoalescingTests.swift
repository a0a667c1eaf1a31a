import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct CoalescingTests {
  typealias Mask = GRunLoop.NotificationQueue.NotificationCoalescing

  private final class Sender {}

  /// What is left of four, of two names and two senders, when the last is like others; the newest stands for all.
  static let outcomes: [(Mask, [String])] = [
    (.none, ["a one", "a two", "b one", "a one"]),
    (.onName, ["b one", "a one"]),
    (.onSender, ["a two", "a one"]),
    ([.onName, .onSender], ["a two", "b one", "a one"]),
  ]

  @Test("N3 coalescing on nothing, name, sender or both", arguments: outcomes, [false, true])
  func masks(_ outcome: (mask: Mask, left: [String]), _ areValues: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      let posts = Posts()
      let log = Log(of: String.self)
      let objects = [Sender(), Sender()]
      let senders: [Any] = areValues ? ["one", "two"] : objects
      func describe(_ notification: Notification) -> String {
        let isFirst =
          (notification.object as? String).map { $0 == "one" } ?? (notification.object as? Sender === objects[0])
        return "\(notification.name.rawValue) \(isFirst ? "one" : "two")"
      }
      posts.watch("a", "b") { log.append(describe($0)) }
      posts.enqueue("a", .asap, object: senders[0])
      posts.enqueue("a", .asap, object: senders[1])
      posts.enqueue("b", .asap, object: senders[0])
      posts.enqueue("a", .asap, object: senders[0], coalesce: outcome.mask)
      drive.poll()
      #expect(log.entries == outcome.left)
    }
  }

  @Test("N3, N6 of similar ones the newest is posted, once, whatever their styles", arguments: Driver.allCases)
  func newest(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      let values = Log(of: Int.self)
      posts.watch("a") {
        values.append($0.userInfo!["value"] as! Int)
        drive.quit()
      }
      posts.enqueue("a", .whenIdle, coalesce: .onName, userInfo: ["value": 1])
      posts.enqueue("a", .asap, coalesce: .onName, userInfo: ["value": 2])
      posts.enqueue("a", .whenIdle, coalesce: .onName, modes: [.common], userInfo: ["value": 3])
      drive.run()
      drive.run(for: .milliseconds(20))
      #expect(values.entries == [3])
    }
  }

  @Test("N3 now takes its similar queued ones out", arguments: Driver.allCases)
  func now(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("a", "b")
      posts.enqueue("a", .asap)
      posts.enqueue("b", .asap)
      posts.enqueue("a", .whenIdle)
      posts.enqueue("a", .now, coalesce: .onName)
      #expect(posts.log.entries == ["a"])
      drive.run(for: .milliseconds(20))
      #expect(posts.log.entries == ["a", "b"])
    }
  }

  @Test("N3 no sender is like no sender, and like no other")
  func noSender() async throws {
    try await onLoopThread {
      let posts = Posts()
      posts.watch("a", "b", "c")
      posts.enqueue("a", .asap)
      posts.enqueue("b", .asap, object: "someone")
      posts.enqueue("c", .asap, coalesce: .onSender)
      Drive(.swift).poll()
      #expect(posts.log.entries == ["b", "c"])
    }
  }
}
