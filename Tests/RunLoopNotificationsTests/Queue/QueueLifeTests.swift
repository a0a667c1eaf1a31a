import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct QueueLifeTests {
  @Test("N1 what is queued is posted although its queue was let go of, and then all is freed")
  func letGo() async throws {
    let life = LifeCount()
    try await onLoopThread {
      let center = NotificationCenter()
      let log = Log(of: String.self)
      let observer = center.addObserver(forName: .init("a"), object: nil, queue: nil) { _ in log.append("a") }
      GRunLoop.NotificationQueue(notificationCenter: center).enqueue(
        Notification(name: .init("a"), object: life.token()), postingStyle: .asap)
      #expect(life.value == 1)
      Drive(.swift).poll()
      #expect(log.entries == ["a"])
      #expect(life.value == 0)
      center.removeObserver(observer)
    }
  }

  @Test("N1, L5 what is queued when a thread ends goes with it", arguments: [false, true])
  func loopEnds(_ isDefault: Bool) async throws {
    let life = LifeCount()
    try await onLoopThread {
      let queue = isDefault ? .default : GRunLoop.NotificationQueue(notificationCenter: NotificationCenter())
      for style in [GRunLoop.NotificationQueue.PostingStyle.asap, .whenIdle] {
        queue.enqueue(
          Notification(name: .init("QueueLifeTests"), object: life.token()), postingStyle: style, coalesceMask: .none,
          forModes: [.default, .common, "other"])
      }
      #expect(life.value == 2)
    }
    #expect(life.value == 0)
  }

  @Test("N1 off its thread, and without a mode, a call is refused and changes nothing")
  func refused() async throws {
    try await onLoopThread {
      let posts = Posts()
      posts.watch("a", "b")
      posts.enqueue("a", .asap)
      let warnings = CapturedWarnings.during {
        posts.enqueue("a", .asap, coalesce: .onName, modes: [])
        posts.enqueue("a", .now, coalesce: .onName, modes: [""])
      }
      #expect(warnings.count == 2)
      #expect(warnings.allSatisfy { $0.contains("no mode") })
      nonisolated(unsafe) let queue = posts.queue
      TestThread {
        let warnings = CapturedWarnings.during {
          queue.enqueue(Notification(name: .init("b")), postingStyle: .now)
          queue.dequeueNotifications(matching: Notification(name: .init("a")), coalesceMask: .onName)
        }
        #expect(warnings.count == 2)
        #expect(warnings.allSatisfy { $0.contains("own thread") })
      }.join()
      Drive(.swift).poll()
      #expect(posts.log.entries == ["a"])
    }
  }
}
