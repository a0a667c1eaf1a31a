import Glibc

/// What a process sent to a ``MessagePort``, and the way to answer it.
///
/// A request can be answered at once, or later and from any thread. One that is let go of without an answer fails at the
/// sender with ``PortFailure/noReply``.
public final class PortRequest: PacketSender, @unchecked Sendable {
  // Invariant for @unchecked: `answered` is guarded by the connection's monitor.

  /// The message.
  public let message: PortMessage
  private let connection: Connection
  private let sequence: UInt64
  private var answered = false

  init(_ message: PortMessage, sequence: UInt64, connection: Connection) {
    self.message = message
    self.sequence = sequence
    self.connection = connection
  }

  deinit {
    if sequence != 0, !answered { answer(.noReply, PortMessage(id: 0)) }
    if sequence != 0 { connection.requestEnded(weight) }
  }

  private var weight: Int { message.components.reduce(0) { $0 + $1.count } }

  /// Whether the sender waits for an answer. A message that was sent alone has none.
  public var expectsReply: Bool { sequence != 0 }

  /// Answers the request. It does not wait: what the sender does not read yet is kept for it, within
  /// ``PortLimits/unreadBytes``. If the sender has gone meanwhile, the answer is dropped.
  ///
  /// - Throws: ``PortFailure/notSendable(_:)`` if the answer is over a limit, was given before, or is not wanted.
  public func reply(_ message: PortMessage) throws(PortFailure) {
    guard expectsReply else { throw .notSendable("the sender of this message does not wait for an answer") }
    let packet = try Packet(.reply, message, sequence: sequence, limits: connection.channel.limits, from: self)
    let isFirst = connection.channel.monitor.withLock {
      defer { answered = true }
      return !answered
    }
    if !isFirst { throw .notSendable("the request was answered before") }
    connection.send(packet)
  }

  func packetIsDone(_ failure: PortFailure?) {
    // The kernel refused the answer, for want of memory, say. The sender is not to wait for it.
    guard case .system? = failure, let failure else { return }
    connection.diagnose("an answer was not sent: \(failure)")
    answer(.noReply, PortMessage(id: 0))
  }

  private func answer(_ kind: Frame.Kind, _ message: PortMessage) {
    // An empty message is within every limit and needs no memory.
    if let packet = try? Packet(kind, message, sequence: sequence, limits: connection.channel.limits, from: nil) {
      connection.send(packet)
    }
  }
}
