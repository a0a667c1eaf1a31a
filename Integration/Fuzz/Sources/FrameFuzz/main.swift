import CFuzzer

// One input: a byte that says whether a descriptor came with the packet and which limits hold, and the packet. Whatever it
// is, reading it ends with a frame or a reason; and what is taken for a frame is one: written again it is the same bytes.

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
_ = LLVMFuzzerRunDriver(&count, &arguments) { data, count in
  guard let data, count > 0 else { return 0 }
  let packet = UnsafeRawBufferPointer(start: data + 1, count: count - 1)
  let hasMemory = data[0] & 1 == 1
  let (messageLimit, componentLimit) = data[0] & 2 == 2 ? (1 << 20, 1024) : (100, 3)
  guard
    let frame = try? Frame.decode(
      packet, hasMemory: hasMemory, messageLimit: messageLimit, componentLimit: componentLimit)
  else { return 0 }
  var place = frame.payloadStart
  let components = frame.lengths.map { length in
    defer { place += length }
    return hasMemory ? [UInt8](repeating: 0, count: length) : [UInt8](packet[place..<place + length])
  }
  let written = Frame.encode(
    frame.kind, id: frame.id, sequence: frame.sequence, components, length: frame.payloadLength,
    isInMemory: frame.isInMemory)
  precondition(packet.elementsEqual(written), "what was read is not what is written")
  precondition(frame.payloadLength <= messageLimit && frame.lengths.count <= componentLimit, "it is over a limit")
  precondition(packet.count == frame.payloadStart + (hasMemory ? 0 : frame.payloadLength), "it is not whole")
  precondition(frame.isInMemory == hasMemory, "its memory is not where it says")
  return 0
}
