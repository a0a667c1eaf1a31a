import Foundation
import GLibRunLoop
import Synchronization

extension GRunLoop.DistributedNotificationCenter {
  /// An observer of distributed notifications, to be taken out with ``removeObserver(_:)``.
  public final class Observation: @unchecked Sendable {
    // Invariant for @unchecked: `handler` is touched and freed on the loop's thread, or when the loop has ended and
    // nobody can call it any more. The rest does not change.

    /// The name that it observes; nil is all names.
    public let name: Notification.Name?
    /// The object that it observes; nil is all objects, and none.
    public let object: String?
    /// What becomes of notifications for it while the centre is suspended.
    public let suspensionBehavior: SuspensionBehavior
    /// Where it is called.
    public let loop: GRunLoop
    private var handler: ((Notification) -> Void)?
    /// Relaxed: whoever takes an observer out on its loop's thread is who reads it; others may come late.
    private let isRemoved = Atomic<Bool>(false)

    init(
      _ name: Notification.Name?, _ object: String?, _ behavior: SuspensionBehavior, _ loop: GRunLoop,
      _ handler: @escaping (Notification) -> Void
    ) {
      self.name = name
      self.object = object
      suspensionBehavior = behavior
      self.loop = loop
      self.handler = handler
    }

    func matches(_ message: Message) -> Bool {
      (name == nil || name!.rawValue == message.name) && (object == nil || object == message.object)
    }

    var matchRule: String { WireFormat.matchRule(name: name?.rawValue, object: object) }

    func deliver(_ message: Message) {
      if !isRemoved.load(ordering: .relaxed) { handler?(message.notification) }
    }

    /// It is not called any more: lets go of the handler, where that belongs.
    func end() {
      isRemoved.store(true, ordering: .relaxed)
      if loop.isCurrent { return freeHandler() }
      loop.perform { [self] in freeHandler() }
    }

    private func freeHandler() {
      let old = handler
      handler = nil
      withExtendedLifetime(old) {}
    }
  }
}
