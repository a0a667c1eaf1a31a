import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

extension Notification.Name {
  fileprivate static let needsFlush = Notification.Name("DrawingFlushTests.needsFlush")
}

/// E7: many drawing calls, one flush.
private final class Canvas {
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

@Suite struct DrawingFlushTests {
  @Test("E7, N2, N3 many drawing calls lead to one flush a pass", arguments: Driver.allCases)
  func oneFlush(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (first, second) = (Canvas(), Canvas())
      var passes = 0
      let drawing = GRunLoop.Timer(interval: .milliseconds(2), repeats: true) { timer in
        // Each pass finds the flush of the one before done.
        #expect(first.flushes == passes)
        for _ in 0..<100 {
          first.draw()
          second.draw()
        }
        passes += 1
        if passes == 5 {
          timer.invalidate()
          drive.loop.perform(inModes: [.default], after: .milliseconds(1)) { drive.quit() }
        }
      }
      drive.loop.add(drawing, forMode: .default)
      drive.run()
      #expect(first.flushes == 5)
      #expect(second.flushes == 5)
      first.close()
      second.close()
    }
  }
}
