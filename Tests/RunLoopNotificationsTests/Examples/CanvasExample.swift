import Foundation
import GLibRunLoop
import RunLoopNotifications

extension Notification.Name {
  static let needsFlush = Notification.Name("needsFlush")
}

/// Is drawn on as often as anybody likes, and flushes once a pass.
final class Canvas {
  private(set) var flushes = 0
  private var strokes = 0
  private var observer: (any NSObjectProtocol)?

  init() {
    // The queue posts on this thread.
    nonisolated(unsafe) weak let canvas = self
    observer = NotificationCenter.default.addObserver(forName: .needsFlush, object: self, queue: nil) { _ in
      canvas?.flush()
    }
  }

  func draw() {
    strokes += 1
    GRunLoop.NotificationQueue.default.enqueue(
      Notification(name: .needsFlush, object: self), postingStyle: .asap, coalesceMask: [.onName, .onSender])
  }

  private func flush() {
    flushes += 1
    strokes = 0
  }

  func close() { NotificationCenter.default.removeObserver(observer!) }
}
