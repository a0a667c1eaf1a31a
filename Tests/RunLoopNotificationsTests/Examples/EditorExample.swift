import Foundation
import GLibRunLoop
import RunLoopNotifications

extension Notification.Name {
  static let textDidChange = Notification.Name("textDidChange")
}

/// Says that its text has changed, once, when the typist rests.
final class Editor {
  private(set) var text = ""

  func type(_ key: Character) {
    text.append(key)
    GRunLoop.NotificationQueue.default.enqueue(
      Notification(name: .textDidChange, object: self), postingStyle: .whenIdle, coalesceMask: [.onName, .onSender])
  }
}
