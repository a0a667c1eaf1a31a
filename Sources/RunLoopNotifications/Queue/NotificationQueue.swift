import Foundation
import GLibRunLoop

extension GRunLoop {
  /// A queue in front of a `NotificationCenter`: it posts notifications later, at moments of a loop's turn, and makes
  /// one of several that are alike. (`NSNotificationQueue`)
  ///
  /// ```swift
  /// let queue = GRunLoop.NotificationQueue.default
  /// queue.enqueue(Notification(name: .needsDisplay, object: view), postingStyle: .asap)  // a hundred times,
  /// // posted once, at the end of the loop's pass
  /// ```
  ///
  /// Notifications are posted first in, first out within their posting style, on the loop's thread. A mode in which
  /// something is queued has something to wait for, so that a run in it does not return before it is posted; but a post
  /// is no source, and does not end ``/GLibRunLoop/GRunLoop/run(mode:before:)``. A queue with nothing in it leaves no trace in the
  /// loop.
  ///
  /// A queue is used on its loop's thread; another thread performs there: `loop.perform { … }`. What is still queued
  /// when the loop ends is not posted any more. The queue may be let go of before: what is queued is posted all the same.
  public final class NotificationQueue {
    /// Where the queue posts to.
    public let notificationCenter: NotificationCenter
    /// The loop whose turn decides when.
    public let loop: GRunLoop
    private let modesInForce: ModesInForce
    private let asap: PostingLine
    private let whenIdle: PostingLine

    /// A queue for any centre and loop. (`initWithNotificationCenter:`)
    ///
    /// - Parameters:
    ///   - notificationCenter: Where it posts to.
    ///   - loop: The loop whose turn decides when: this thread's, or one for a context that this thread drives.
    public init(notificationCenter: NotificationCenter, loop: GRunLoop = .current) {
      self.notificationCenter = notificationCenter
      self.loop = loop
      modesInForce = ModesInForce(of: loop)
      asap = PostingLine(to: notificationCenter, in: modesInForce, at: [.beforeTimers, .exit], oneByOne: false)
      whenIdle = PostingLine(to: notificationCenter, in: modesInForce, at: .beforeWaiting, oneByOne: true)
    }

    /// This thread's queue for the default centre and this thread's loop; the same at each call. (`defaultQueue`)
    public static var `default`: NotificationQueue {
      let storage = Thread.current.threadDictionary
      let key = "GRunLoop.NotificationQueue.default"
      if let queue = storage[key] as? NotificationQueue { return queue }
      let queue = NotificationQueue(notificationCenter: .default)
      storage[key] = queue
      return queue
    }

    /// Queues a notification. Those in the queue that are like it, of whatever style, are taken out first: the newest
    /// stands for all, at the end of the line. (`enqueueNotification:postingStyle:coalesceMask:forModes:`)
    ///
    /// A call that cannot be carried out says why in one line and leaves the queue as it is.
    ///
    /// - Parameters:
    ///   - notification: What to post.
    ///   - postingStyle: When.
    ///   - coalesceMask: What makes another one like it.
    ///   - modes: It is posted when the loop runs in one of these, and stays queued until then. ``/GLibRunLoop/GRunLoop/Mode/common`` stands
    ///     for its set. One that is to be posted ``PostingStyle/now`` is posted at once also if the loop does not run.
    public func enqueue(
      _ notification: Notification, postingStyle: PostingStyle,
      coalesceMask: NotificationCoalescing = [.onName, .onSender], forModes modes: [Mode] = [.default]
    ) {
      guard isOnItsThread("enqueue") else { return }
      let named = Set(modes.filter { !$0.rawValue.isEmpty })
      if named.isEmpty {
        return diagnose("notification \(notification.name.rawValue) was not queued: it names no mode to be posted in")
      }
      dequeueNotifications(matching: notification, coalesceMask: coalesceMask)
      switch postingStyle {
      case .now:
        // In another mode it waits as the others do.
        if loop.currentMode.map({ modesInForce.includes($0, among: named) }) ?? true {
          notificationCenter.post(notification)
        } else {
          asap.append(notification, forModes: named)
        }
      case .asap: asap.append(notification, forModes: named)
      case .whenIdle: whenIdle.append(notification, forModes: named)
      }
    }

    /// Takes out what is like a notification, of all styles and modes. (`dequeueNotificationsMatching:coalesceMask:`)
    ///
    /// - Parameters:
    ///   - notification: The pattern. It need not be queued itself.
    ///   - coalesceMask: What makes another one like it; with nothing set nothing is taken out.
    public func dequeueNotifications(matching notification: Notification, coalesceMask: NotificationCoalescing) {
      guard !coalesceMask.isEmpty, isOnItsThread("dequeueNotifications") else { return }
      asap.remove { coalesceMask.matches($0, notification) }
      whenIdle.remove { coalesceMask.matches($0, notification) }
    }

    private func isOnItsThread(_ call: String) -> Bool {
      if loop.isCurrent { return true }
      diagnose("\(call) of a notification queue was refused: only its loop's own thread can use it; use perform there")
      return false
    }
  }
}
