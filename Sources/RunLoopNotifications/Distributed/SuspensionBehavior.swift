import GLibRunLoop

extension GRunLoop.DistributedNotificationCenter {
  /// What becomes of notifications for an observer while its centre is suspended.
  /// (`NSNotificationSuspensionBehavior`)
  public enum SuspensionBehavior: UInt, Sendable {
    /// They are dropped.
    case drop = 1
    /// The last one of each name and object is kept until the centre goes on.
    case coalesce = 2
    /// All are kept until the centre goes on, up to ``Limits/held``.
    case hold = 3
    /// They are delivered all the same. What the centre keeps for its observers is delivered first.
    case deliverImmediately = 4
  }

  /// What a centre puts up with.
  public struct Limits: Sendable, Hashable {
    /// How many bytes the values of a message may have, names included, sent or received. D-Bus itself takes 128 MiB
    /// at most, and a bus may be configured to take less.
    public var messageSize = 1 << 20
    /// How many notifications may wait for one loop that does not come to them. At this bound the oldest are dropped,
    /// with a diagnostic.
    public var queued = 10_000
    /// How many a suspended centre keeps; likewise.
    public var held = 10_000
    /// How long to wait for an answer of the bus, in one call.
    public var busTimeout = Duration.seconds(5)
    /// The longest pause between two attempts to reach a bus that was lost. The first comes after a tenth of a second,
    /// and each pause is twice the one before.
    public var reconnectionPause = Duration.seconds(5)

    /// The limits that a centre begins with.
    public init() {}
  }

  /// Why a notification could not be posted, or an observer not be added.
  public enum Failure: Error, Equatable, Sendable {
    /// The bus cannot be reached, or was lost during the call; with what it said.
    case noBus(String)
    /// The bus did not take the message within ``Limits/busTimeout``.
    case timedOut
    /// A name or an object is empty, longer than 255 bytes, or holds a zero byte; with what it is.
    case invalidName(String)
    /// The user info holds something else than a property list; with where it is and what.
    case notPropertyList(String)
    /// The message is too large.
    case tooLarge(size: Int, limit: Int)
    /// This process was forked from the one that made the centre, or the centre's thread could not be reached.
    case unusable(String)
  }
}

extension GRunLoop.DistributedNotificationCenter.Failure: CustomStringConvertible {
  /// What happened, and what to do about it, in one line.
  public var description: String {
    switch self {
    case .noBus(let reason):
      "the session bus cannot be reached (\(reason)): is one running, and DBUS_SESSION_BUS_ADDRESS set?"
    case .timedOut: "the session bus did not take the message in time: is it stopped?"
    case .invalidName(let name):
      "\"\(name)\" cannot be the name or object of a distributed notification: they have 1 to 255 bytes, none of them zero"
    case .notPropertyList(let place):
      "the user info has \(place): only Bool, integers, floating-point numbers, String, Data, Date, and arrays and "
        + "dictionaries with String keys of these, 16 levels deep at most, cross between processes"
    case .tooLarge(let size, let limit):
      "the message has \(size) bytes, and the centre's limits allow \(limit): send less, or raise limits.messageSize"
    case .unusable(let reason): "the centre cannot be used: \(reason)"
    }
  }
}
