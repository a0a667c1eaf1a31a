import CPortShims
import Glibc

/// Who wants to know what became of a packet.
protocol PacketSender: AnyObject, Sendable {
  /// On any thread, once.
  func packetIsDone(_ failure: PortFailure?)
}

/// A packet on its way out.
final class Packet {
  let bytes: [UInt8]
  /// The memory that goes with it, or -1. The packet owns it.
  private let memory: CInt
  /// What its message weighs, wherever its bytes are.
  let weight: Int
  /// Told once, without a lock, when the kernel has it or never will.
  private let sender: (any PacketSender)?

  /// - Throws: ``PortFailure/notSendable(_:)``, or a system call's failure.
  init(
    _ kind: Frame.Kind, _ message: PortMessage, sequence: UInt64, limits: PortLimits, from sender: (any PacketSender)?
  ) throws(PortFailure) {
    if message.replyPort != nil {
      throw .notSendable("its replyPort is of this process: send the name of a MessagePort, or a request")
    }
    if message.components.count > limits.checkedComponents {
      throw .notSendable("it has \(message.components.count) components, more than \(limits.checkedComponents)")
    }
    let length = message.components.reduce(0) { $0 + $1.count }
    if length > limits.checkedMessageBytes {
      throw .notSendable("it has \(length) bytes, more than \(limits.checkedMessageBytes)")
    }
    let isInMemory = length > Frame.inlineLimit
    bytes = Frame.encode(
      kind, id: message.id, sequence: sequence, message.components, length: length, isInMemory: isInMemory)
    memory = isInMemory ? try Packet.memory(holding: message.components) : -1
    weight = length
    self.sender = sender
  }

  deinit {
    if memory >= 0 { close(memory) }
  }

  private static func memory(holding components: [[UInt8]]) throws(PortFailure) -> CInt {
    let memory = gps_memory_create()
    if memory < 0 {
      let code = errno
      // The other end takes nothing else for a message of this size: files on a disk or in /dev/shm cannot be sealed.
      guard code == ENOSYS || code == EPERM else { throw .system(call: "memfd_create", code: code) }
      let reason = "memfd_create failed: \(String(cString: strerror(code)))"
      Refusal.said.say(reason)
      throw .notSendable("it has more than \(Frame.inlineLimit) bytes, and \(reason); send less at a time")
    }
    for component in components {
      var written = 0
      while written < component.count {
        let count = component.withUnsafeBytes { write(memory, $0.baseAddress! + written, $0.count - written) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw failure("write to a memory descriptor", closing: memory) }
        written += count
      }
    }
    if gps_memory_seal(memory) != 0 { throw failure("F_ADD_SEALS", closing: memory) }
    return memory
  }

  private static func failure(_ call: String, closing memory: CInt) -> PortFailure {
    defer { close(memory) }
    return .system(call: call, code: errno)
  }

  /// Tells the sender that the kernel has it, or why it never will.
  func isDone(_ failure: PortFailure?) { sender?.packetIsDone(failure) }

  /// Gives it to the kernel without waiting. Zero, or the error number.
  func send(to socket: CInt) -> CInt {
    bytes.withUnsafeBytes { bytes in
      var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
      return gps_send(socket, &part, 1, memory) < 0 ? errno : 0
    }
  }
}
