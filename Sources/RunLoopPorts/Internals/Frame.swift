/// The head of a packet between two processes, as documented in the article on the wire format. It depends on nothing
/// but the standard library, so that a fuzzer can be built around it alone.
struct Frame: Equatable {
  /// What a packet is.
  enum Kind: UInt8 {
    /// Wants an answer of the same sequence number.
    case request = 1
    /// Wants none; its sequence number is zero.
    case message = 2
    /// The answer.
    case reply = 3
    /// There will be no answer.
    case noReply = 4
  }

  /// Why bytes are not a packet.
  struct Malformation: Error, Equatable {
    let reason: String
  }

  /// "GRLP"
  static let magic: UInt32 = 0x504C_5247
  static let version: UInt8 = 1
  static let headLength = 32
  /// So many bytes, head and lengths left aside, travel in the packet itself; more of them in memory that is passed.
  static let inlineLimit = 65_536

  var kind: Kind
  var id: UInt32
  var sequence: UInt64
  /// The lengths of the components.
  var lengths: [Int]
  var isInMemory: Bool

  /// How many bytes the components have together.
  var payloadLength: Int { lengths.reduce(0, +) }
  /// Where they begin, if they are in the packet.
  var payloadStart: Int { Frame.headLength + 4 * lengths.count }

  /// The longest packet that can be.
  static func packetLimit(components: Int) -> Int { headLength + 4 * components + inlineLimit }

  /// The head, the lengths and, unless they travel in memory, the components: a whole packet.
  ///
  /// - Parameter length: How many bytes the components have together.
  static func encode(
    _ kind: Kind, id: UInt32, sequence: UInt64, _ components: [[UInt8]], length: Int, isInMemory: Bool
  ) -> [UInt8] {
    let head = headLength + 4 * components.count
    return [UInt8](unsafeUninitializedCapacity: head + (isInMemory ? 0 : length)) { buffer, count in
      let packet = UnsafeMutableRawBufferPointer(buffer)
      func put(_ value: some FixedWidthInteger) {
        packet.storeBytes(of: value.littleEndian, toByteOffset: count, as: type(of: value))
        count += value.bitWidth / 8
      }
      put(magic)
      put(version)
      put(kind.rawValue)
      put(UInt16(isInMemory ? 1 : 0))
      put(id)
      put(UInt32(components.count))
      put(sequence)
      put(UInt64(length))
      for component in components { put(UInt32(component.count)) }
      if isInMemory { return }
      for component in components {
        component.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: packet[count...]).copyMemory(from: $0) }
        count += component.count
      }
    }
  }

  /// Reads a packet's head and lengths, and checks that they fit each other, the packet and the limits.
  ///
  /// - Parameters:
  ///   - packet: The whole packet.
  ///   - hasMemory: Whether a descriptor came with it.
  static func decode(
    _ packet: UnsafeRawBufferPointer, hasMemory: Bool, messageLimit: Int, componentLimit: Int
  ) throws(Malformation) -> Frame {
    func fail(_ reason: String) -> Malformation { Malformation(reason: reason) }
    guard packet.count >= headLength else { throw fail("it has \(packet.count) bytes, fewer than a head") }
    func get<Value: FixedWidthInteger>(_ offset: Int, _ type: Value.Type = Value.self) -> Value {
      Value(littleEndian: packet.loadUnaligned(fromByteOffset: offset, as: type))
    }
    guard get(0) == magic else { throw fail("it does not begin as a packet of ports does") }
    guard get(4) == version else { throw fail("its version is \(get(4, UInt8.self)), not \(version)") }
    guard let kind = Kind(rawValue: get(5)) else { throw fail("its kind is \(get(5, UInt8.self))") }
    let flags = get(6, UInt16.self)
    guard flags <= 1 else { throw fail("its flags are \(flags)") }
    let count = Int(get(12, UInt32.self))
    guard count <= componentLimit else { throw fail("it has \(count) components, more than \(componentLimit)") }
    let sequence = get(16, UInt64.self)
    guard (sequence == 0) == (kind == .message) else { throw fail("its sequence number is \(sequence)") }
    let declared = get(24, UInt64.self)
    guard declared <= UInt64(messageLimit) else { throw fail("it holds \(declared) bytes, more than \(messageLimit)") }
    let isInMemory = flags == 1
    guard isInMemory == hasMemory else { throw fail("its memory \(hasMemory ? "was not announced" : "is missing")") }
    let start = headLength + 4 * count
    guard packet.count == start + (isInMemory ? 0 : Int(declared)) else {
      throw fail("it has \(packet.count) bytes, not as many as its head says")
    }
    guard kind != .noReply || count == 0 else { throw fail("it is no answer, and has components") }
    // No overflow: 2^32 components of 2^32 bytes fit.
    let lengths = (0..<count).map { Int(get(headLength + 4 * $0, UInt32.self)) }
    let frame = Frame(kind: kind, id: get(8), sequence: sequence, lengths: lengths, isInMemory: isInMemory)
    guard UInt64(frame.payloadLength) == declared else { throw fail("its lengths do not add up") }
    return frame
  }
}
