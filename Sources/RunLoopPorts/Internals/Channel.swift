import CPortShims
import Glibc

/// One end of a connection: a seqpacket socket, and the packets that wait for the peer to read.
///
/// Sockets keep packets whole and in order, so that a packet is sent or it is not; nothing is ever half out.
final class Channel: @unchecked Sendable {
  // Invariant for @unchecked: everything that changes is guarded by the monitor. The descriptor is used under it only,
  // and while `isOpen`, but by loops that watch it: those stop before it is closed.
  let monitor = Monitor()
  let descriptor: CInt
  let limits: PortLimits
  private(set) var isOpen = true
  private var isClosed = false
  private var outgoing: [Packet] = []
  private var outgoingBytes = 0
  /// Room for the longest packet. Of a buffer that is not filled the kernel gives the first pages only.
  private let buffer: UnsafeMutableRawBufferPointer
  /// Under the monitor: what a packet that waits wants; called when that changes.
  var interestChanged: (() -> Void)?

  init(descriptor: CInt, limits: PortLimits) {
    self.descriptor = descriptor
    self.limits = limits
    buffer = .allocate(byteCount: Frame.packetLimit(components: limits.checkedComponents), alignment: 8)
  }

  deinit {
    finish()
    buffer.deallocate()
  }

  /// Under the monitor.
  var hasOutgoing: Bool { !outgoing.isEmpty }

  // MARK: Sending

  /// Sends a packet, or queues it behind those that wait.
  ///
  /// - Returns: False if the peer does not read, and more than `limit` bytes would wait for it: nothing was done then.
  func send(_ packet: Packet, limit: Int = .max) -> Bool {
    monitor.lock()
    // One is always let in.
    let code = !isOpen ? EPIPE : outgoing.isEmpty ? packet.send(to: descriptor) : EAGAIN
    if code != EAGAIN {
      monitor.unlock()
      packet.isDone(Channel.failure(code))
      return true
    }
    defer { monitor.unlock() }
    if !outgoing.isEmpty, outgoingBytes + packet.weight > limit { return false }
    outgoing.append(packet)
    outgoingBytes += packet.weight
    interestChanged?()
    return true
  }

  /// What an answer of the kernel's to a packet means for who sent it.
  private static func failure(_ code: CInt) -> PortFailure? {
    switch code {
    case 0: nil
    // Not ended here: answers that came before the peer's end are still to be read.
    case EPIPE, ECONNRESET, ENOTCONN: .invalid
    default: .system(call: "sendmsg", code: code)
    }
  }

  /// Sends what the kernel takes now.
  func flush() {
    let done: [(Packet, PortFailure?)] = monitor.withLock {
      if outgoing.isEmpty, isOpen { return [] }
      let done = flushHeld()
      if !done.isEmpty || !isOpen { interestChanged?() }
      return done
    }
    for (packet, failure) in done { packet.isDone(failure) }
  }

  private func flushHeld() -> [(Packet, PortFailure?)] {
    var done: [(Packet, PortFailure?)] = []
    var sent = 0
    while isOpen, sent < outgoing.count {
      let packet = outgoing[sent]
      let code = packet.send(to: descriptor)
      if code == EAGAIN { break }
      done.append((packet, Channel.failure(code)))
      sent += 1
      outgoingBytes -= packet.weight
    }
    outgoing.removeFirst(sent)
    return done
  }

  /// Takes back a packet that still waits. False if it is out, or was never in.
  func withdraw(_ packet: Packet) -> Bool {
    monitor.withLock {
      guard let place = outgoing.firstIndex(where: { $0 === packet }) else { return false }
      outgoing.remove(at: place)
      outgoingBytes -= packet.weight
      return true
    }
  }

  // MARK: Receiving

  enum Arrival {
    case packet(Frame, PortMessage)
    case nothing
    case ended
    case malformed(String)
  }

  /// Takes one packet, if there is one.
  func receive() -> Arrival {
    monitor.lock()
    guard isOpen else {
      monitor.unlock()
      return .ended
    }
    var packet = gps_receive(descriptor, buffer.baseAddress!, buffer.count)
    // A peer that ended with our packets unread resets first; what it sent before is there behind that.
    if packet.length < 0, errno == ECONNRESET {
      packet = gps_receive(descriptor, buffer.baseAddress!, buffer.count)
    }
    let code = errno
    let arrival = packet.length > 0 ? decode(packet) : packet.length < 0 && code == EAGAIN ? .nothing : .ended
    monitor.unlock()
    guard packet.memory >= 0 else { return arrival }
    defer { close(packet.memory) }
    // Long ones are read without the monitor.
    guard case .packet(let frame, _) = arrival else { return arrival }
    return read(frame, from: packet.memory)
  }

  /// Under the monitor: what stands in the buffer.
  private func decode(_ packet: gps_packet) -> Arrival {
    if packet.is_truncated { return .malformed("a packet has more than \(buffer.count) bytes") }
    if packet.has_excess { return .malformed("a packet came with more descriptors than one") }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<packet.length])
    do {
      let frame = try Frame.decode(
        bytes, hasMemory: packet.memory >= 0, messageLimit: limits.checkedMessageBytes,
        componentLimit: limits.checkedComponents)
      if frame.isInMemory { return .packet(frame, PortMessage(id: frame.id)) }
      var place = frame.payloadStart
      let components = frame.lengths.map { length in
        defer { place += length }
        return [UInt8](bytes[place..<place + length])
      }
      return .packet(frame, PortMessage(id: frame.id, components: components))
    } catch {
      return .malformed(error.reason)
    }
  }

  private func read(_ frame: Frame, from memory: CInt) -> Arrival {
    if !gps_memory_is_sealed(memory) { return .malformed("it came with memory that is not sealed") }
    var components: [[UInt8]] = []
    components.reserveCapacity(frame.lengths.count)
    var place = 0
    for length in frame.lengths {
      guard let component = Channel.read(length, from: memory, at: place) else {
        return .malformed("its memory is shorter than its head says")
      }
      components.append(component)
      place += length
    }
    return .packet(frame, PortMessage(id: frame.id, components: components))
  }

  private static func read(_ length: Int, from memory: CInt, at place: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      // Fresh memory costs more than the copy unless it comes in large pages, which many systems give on request only.
      gps_advise_large_pages(buffer.baseAddress, length)
      while count < length {
        let part = pread(memory, buffer.baseAddress! + count, length - count, off_t(place + count))
        if part < 0, errno == EINTR { continue }
        guard part > 0 else { return }
        count += part
      }
    }
    return bytes.count == length ? bytes : nil
  }

  // MARK: Its end

  /// Nothing goes in or out any more, and loops that watch the socket find it hung up.
  func end() {
    let waste = monitor.withLock {
      guard isOpen else { return [] as [Packet] }
      isOpen = false
      shutdown(descriptor, CInt(SHUT_RDWR))
      defer { (outgoing, outgoingBytes) = ([], 0) }
      return outgoing
    }
    for packet in waste { packet.isDone(.invalid) }
  }

  /// Closes the descriptor, which nobody watches any more.
  func finish() {
    end()
    monitor.withLock {
      if !isClosed { close(descriptor) }
      isClosed = true
      interestChanged = nil
    }
  }
}

/// Says one line about a peer, as the library does about refused calls.
func diagnose(_ message: String) { gps_warn(message) }
