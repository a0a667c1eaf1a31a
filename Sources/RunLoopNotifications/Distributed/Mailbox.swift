import Foundation
import GLibRunLoop

/// A notification as it came.
struct Message: Sendable {
  let name: String
  let object: String?
  let userInfo: [String: any Sendable]

  var notification: Notification {
    Notification(name: Notification.Name(name), object: object, userInfo: userInfo.isEmpty ? nil : userInfo)
  }
}

/// One notification for one observer.
struct Delivery {
  let observation: GRunLoop.DistributedNotificationCenter.Observation
  let message: Message
}

/// The notifications on their way from the bus to the observers of one loop: a source in its common modes, and what the
/// source has to deliver.
final class Mailbox: @unchecked Sendable {
  // Invariant for @unchecked: `inbox` is touched with the lock held, `source` set before the box is shared.

  let loop: GRunLoop
  private let lock = NSLock()
  private var inbox = Fifo<Delivery>()
  private var source: GRunLoop.Source!

  /// Nil if the loop has ended.
  ///
  /// - Parameter onEnd: Called when the loop ends, or the box was closed.
  init?(of loop: GRunLoop, onEnd: @escaping @Sendable (Mailbox) -> Void) {
    self.loop = loop
    source = GRunLoop.Source(
      onCancelled: { @Sendable [weak self] _, _, _ in if let self { onEnd(self) } },
      sendableHandler: { @Sendable [weak self] _ in self?.deliver() })
    if !loop.add(source, forMode: .common) { return nil }
  }

  func close() { source.invalidate() }

  /// From the bus thread. True if an older one had to go.
  func put(_ delivery: Delivery, limit: Int) -> Bool {
    let dropped = lock.withLock {
      inbox.append(delivery)
      return inbox.count > max(1, limit) ? inbox.popFirst() : nil
    }
    source.signal()
    return dropped != nil
  }

  /// On the loop's thread: those that are there now. What comes meanwhile is the next pass's.
  private func deliver() {
    var left = lock.withLock { inbox.count }
    while left > 0 {
      let (next, rest) = lock.withLock { (inbox.popFirst(), inbox.count) }
      guard let next else { return }
      // The observer may run the loop, which then delivers the rest.
      if rest > 0 { source.signal() }
      next.observation.deliver(next.message)
      left -= 1
    }
  }
}

/// First in, first out.
struct Fifo<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
