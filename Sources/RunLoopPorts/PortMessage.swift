/// What one thread or process sends to another: a number, some runs of bytes, and where to answer.
///
/// The counterpart is Foundation's `PortMessage`.
public struct PortMessage: Sendable {
  /// What the message is about; sender and receiver agree on the numbers. (`msgid`)
  public var id: UInt32
  /// What it carries, in as many parts as the sender likes. Parts may be empty. (`components`)
  public var components: [[UInt8]]
  /// A port of this process to answer to. It does not travel to other processes; requests do that. (`receivePort`)
  public var replyPort: Port?

  /// A message of these parts.
  public init(id: UInt32, components: [[UInt8]] = [], replyPort: Port? = nil) {
    self.id = id
    self.components = components
    self.replyPort = replyPort
  }
}
