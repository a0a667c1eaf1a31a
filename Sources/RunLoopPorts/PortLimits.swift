/// How much a named port takes from its peers, and holds for them. What is over a limit of the first two is malformed and
/// closes the connection that it came by; at the others the port stops reading there until it has caught up, or says no.
public struct PortLimits: Sendable {
  /// How many bytes a message's components may have together: 64 MiB. At most 4 GiB less one byte.
  public var messageBytes = 64 << 20
  /// How many components a message may have: 1024.
  public var components = 1024
  /// How many processes, or connections of them, may be there at once: 256. More are turned away.
  public var connections = 256
  /// How many requests of one connection may be unanswered: 256. No more are read until some are.
  public var openRequests = 256
  /// How many bytes the unanswered requests of one connection may hold: 128 MiB, or one message. Likewise.
  public var openBytes = 128 << 20
  /// How many bytes of answers may wait for a peer that does not read them: 128 MiB, or one message. A connection with
  /// more is closed.
  public var unreadBytes = 128 << 20

  /// The limits as they stand in the text of each.
  public init() {}

  var checkedMessageBytes: Int { min(max(0, messageBytes), Int(UInt32.max) - 1) }
  // What fits the kernel's buffer for one packet, together with the bytes that travel in it.
  var checkedComponents: Int { min(max(0, components), 16_384) }
}
