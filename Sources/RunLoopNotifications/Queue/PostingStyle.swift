import Foundation
import GLibRunLoop

extension GRunLoop.NotificationQueue {
  /// When a queued notification is posted. (`NSPostingStyle`)
  public enum PostingStyle: UInt, Sendable {
    /// When the loop has nothing else to do: just before it sleeps, never on a poll, and not when a run is ending. Each
    /// one waits for such a moment of its own, so that work which the one before has led to goes first.
    case whenIdle = 1
    /// At the end of the loop's pass: when its timers, sources and performs have had their turn. In a loop that does not
    /// turn just now that is the beginning of its next pass.
    case asap = 2
    /// At once, in the call; others like it are taken out of the queue.
    case now = 3
  }

  /// What makes one notification like another. (`NSNotificationCoalescing`)
  public struct NotificationCoalescing: OptionSet, Sendable {
    /// Foundation's bits.
    public let rawValue: UInt

    /// A set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Nothing: each one is posted.
    public static let none: NotificationCoalescing = []
    /// The same name.
    public static let onName = NotificationCoalescing(rawValue: 1)
    /// The same sender: the same instance, equal values, or none on both sides.
    public static let onSender = NotificationCoalescing(rawValue: 2)

    /// Whether two are alike; those of an empty set never are.
    func matches(_ one: Notification, _ other: Notification) -> Bool {
      if isEmpty || contains(.onName) && one.name != other.name { return false }
      return !contains(.onSender) || Self.isSame(one.object, other.object)
    }

    private static func isSame(_ one: Any?, _ other: Any?) -> Bool {
      guard let one, let other else { return one == nil && other == nil }
      if type(of: one) is AnyClass, type(of: other) is AnyClass { return one as AnyObject === other as AnyObject }
      guard let one = one as? AnyHashable, let other = other as? AnyHashable else { return false }
      return one == other
    }
  }
}
