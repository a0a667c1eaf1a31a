import CPortShims
import Glibc
import RunLoopPorts

/// A socket that is connected to a port and says whatever the test likes.
final class RawPeer: @unchecked Sendable {
  // The descriptor does not change.
  let socket: CInt

  /// - Parameter name: A name in the kernel's table.
  init(_ name: PortName) {
    socket = gps_socket()
    let address = Array("runloop-ports/\(geteuid())/\(name)".utf8)
    let failed = gps_connect(socket, address, address.count, true, -1)
    precondition(failed == 0, "connect failed: \(errno)")
    gps_set_non_blocking(socket)
  }

  init(accepted socket: CInt) { self.socket = socket }

  deinit { close(socket) }

  @discardableResult
  func send(_ bytes: [UInt8], descriptors: [CInt] = []) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
      if descriptors.count < 2 { return gps_send(socket, &part, 1, descriptors.first ?? -1) >= 0 }
      // A control message is a head of 16 bytes and the descriptors.
      var control = [UInt8](repeating: 0, count: 16 + 4 * descriptors.count + 7 & ~7)
      control.withUnsafeMutableBytes {
        $0.storeBytes(of: 16 + 4 * descriptors.count, as: Int.self)
        $0.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: CInt.self)
        $0.storeBytes(of: CInt(SCM_RIGHTS), toByteOffset: 12, as: CInt.self)
        for (place, descriptor) in descriptors.enumerated() {
          $0.storeBytes(of: descriptor, toByteOffset: 16 + 4 * place, as: CInt.self)
        }
      }
      return control.withUnsafeMutableBytes { control in
        withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          return sendmsg(socket, &message, CInt(MSG_NOSIGNAL)) >= 0
        }
      }
    }
  }

  /// Whether the port has closed the connection.
  var isClosed: Bool {
    var entry = pollfd(fd: socket, events: 0, revents: 0)
    return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLHUP) != 0
  }

  /// A packet as the documentation describes it, to be spoilt.
  static func packet(
    magic: UInt32 = 0x504C_5247, version: UInt8 = 1, kind: UInt8 = 1, flags: UInt16 = 0, id: UInt32 = 0,
    count: UInt32? = nil, sequence: UInt64 = 1, total: UInt64? = nil, lengths: [UInt32]? = nil,
    components: [[UInt8]] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    func put(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    put(magic)
    put(version)
    put(kind)
    put(flags)
    put(id)
    put(count ?? UInt32(components.count))
    put(sequence)
    put(total ?? UInt64(components.reduce(0) { $0 + $1.count }))
    for length in lengths ?? components.map({ UInt32($0.count) }) { put(length) }
    return bytes + components.joined()
  }
}
