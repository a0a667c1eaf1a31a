import Foundation
import GLibRunLoop
import RunLoopNotifications

/// A centre of a test's own, with a queue for this thread's loop, and what was posted there.
final class Posts {
  let center = NotificationCenter()
  let queue: GRunLoop.NotificationQueue
  let log = Log(of: String.self)
  private var tokens: [any NSObjectProtocol] = []

  init() { queue = GRunLoop.NotificationQueue(notificationCenter: center) }

  deinit { for token in tokens { center.removeObserver(token) } }

  /// Writes down the names that are posted, and calls `body`.
  func watch(_ names: String..., body: @escaping (Notification) -> Void = { _ in }) {
    // Posts come on this thread only.
    nonisolated(unsafe) let body = body
    for name in names {
      tokens.append(
        center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { [log] notification in
          log.append(name)
          body(notification)
        })
    }
  }

  /// Queues one of this name, not coalesced unless said.
  func enqueue(
    _ name: String, _ style: GRunLoop.NotificationQueue.PostingStyle, object: Any? = nil,
    coalesce: GRunLoop.NotificationQueue.NotificationCoalescing = .none, modes: [GRunLoop.Mode] = [.default],
    userInfo: [AnyHashable: Any]? = nil
  ) {
    queue.enqueue(
      Notification(name: Notification.Name(name), object: object, userInfo: userInfo), postingStyle: style,
      coalesceMask: coalesce, forModes: modes)
  }
}
