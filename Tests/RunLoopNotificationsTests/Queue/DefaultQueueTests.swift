import CGLib
import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct DefaultQueueTests {
  @Test("N1 each thread has one default queue, for the default centre and its own loop")
  func oneForEachThread() async throws {
    try await onLoopThread {
      let queue = GRunLoop.NotificationQueue.default
      #expect(queue === GRunLoop.NotificationQueue.default)
      #expect(queue.notificationCenter === NotificationCenter.default)
      #expect(queue.loop === GRunLoop.current)
      let mine = ObjectIdentifier(queue)
      let loop = GRunLoop.current
      TestThread {
        #expect(ObjectIdentifier(GRunLoop.NotificationQueue.default) != mine)
        #expect(GRunLoop.NotificationQueue.default.loop !== loop)
      }.join()
    }
  }

  @Test("N1, N6 the default queue posts to the default centre, on its thread", arguments: Driver.allCases)
  func posts(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let name = Notification.Name("DefaultQueueTests.\(driver)")
      let loop = drive.loop
      let posts = Locked(0)
      let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
        #expect(loop.isCurrent)
        posts.withLock { $0 += 1 }
        drive.quit()
      }
      GRunLoop.NotificationQueue.default.enqueue(Notification(name: name), postingStyle: .asap)
      #expect(posts.withLock { $0 } == 0)
      drive.run()
      #expect(posts.withLock { $0 } == 1)
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("N1, L3 a queue for the loop in a context that GLib code runs", arguments: [false, true])
  func otherLoop(_ isIdle: Bool) async throws {
    try await onLoopThread {
      let context = g_main_context_new()!
      defer { g_main_context_unref(context) }
      let loop = GRunLoop.loop(for: context)
      #expect(loop !== GRunLoop.current)
      let log = Log(of: String.self)
      let center = NotificationCenter()
      let token = center.addObserver(forName: .init("there"), object: nil, queue: nil) { _ in log.append("there") }
      let mainLoop = g_main_loop_new(context, 0)!
      defer { g_main_loop_unref(mainLoop) }
      Foreign.idle {
        let queue = GRunLoop.NotificationQueue(notificationCenter: center, loop: loop)
        queue.enqueue(Notification(name: .init("there")), postingStyle: isIdle ? .whenIdle : .asap)
        return false
      }.attach(to: context)
      Foreign.timeout(milliseconds: 1) {
        if log.count > 0 { g_main_loop_quit(mainLoop) }
        return log.count == 0
      }.attach(to: context)
      g_main_loop_run(mainLoop)
      #expect(log.entries == ["there"])
      center.removeObserver(token)
    }
  }
}
