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
  /// Under the monitor: what a packet that waits wants; called when that changes.
  var interestChanged: (() -> Void)?

  init(descriptor: CInt, limits: PortLimits) {
    self.descriptor = descriptor
    self.limits = limits
  }

  deinit { finish() }

  /// Under the monitor.
  var hasOutgoing: Bool { !outgoing.isEmpty }

  // MARK: Sending

  /// Sends a packet, or queues it behind those that wait.
  ///
  /// - Returns: False if the peer does not read, and more than `limit` bytes would wait for it: nothing was done then.
  func send(_ packet: Packet, limit: Int = .max) -> Bool {
    let (accepted, done) = monitor.withLock {
      guard isOpen else { return (true, [(packet, PortFailure.invalid as PortFailure?)]) }
      // One is always let in.
      if !outgoing.isEmpty, outgoingBytes + packet.weight > limit { return (false, []) }
      outgoing.append(packet)
      outgoingBytes += packet.weight
      let done = outgoing.count == 1 ? flushHeld() : []
      if hasOutgoing { interestChanged?() }
      return (true, done)
    }
    for (packet, failure) in done { packet.whenDone?(failure) }
    return accepted
  }

  /// Sends what the kernel takes now.
  func flush() {
    let done = monitor.withLock {
      let done = flushHeld()
      if !done.isEmpty || !isOpen { interestChanged?() }
      return done
    }
    for (packet, failure) in done { packet.whenDone?(failure) }
  }

  private func flushHeld() -> [(Packet, PortFailure?)] {
    var done: [(Packet, PortFailure?)] = []
    var sent = 0
    sending: while isOpen, sent < outgoing.count {
      let packet = outgoing[sent]
      switch packet.send(to: descriptor) {
      case 0: done.append((packet, nil))
      case EAGAIN: break sending
      case EPIPE, ECONNRESET, ENOTCONN:
        // Not ended here: answers that came before the peer's end are still to be read.
        done.append((packet, .invalid))
      case let code: done.append((packet, .system(call: "sendmsg", code: code)))
      }
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
    let capacity = Frame.packetLimit(components: limits.checkedComponents)
    return withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) { buffer in
      let (packet, code) = monitor.withLock { () -> (gps_packet, CInt) in
        guard isOpen else { return (gps_packet(length: 0, memory: -1, is_truncated: false, has_excess: false), 0) }
        var packet = gps_receive(descriptor, buffer.baseAddress!, buffer.count)
        // A peer that ended with our packets unread resets first; what it sent before is there behind that.
        if packet.length < 0, errno == ECONNRESET {
          packet = gps_receive(descriptor, buffer.baseAddress!, buffer.count)
        }
        return (packet, errno)
      }
      if packet.length < 0 { return code == EAGAIN ? .nothing : .ended }
      defer { if packet.memory >= 0 { close(packet.memory) } }
      if packet.is_truncated { return .malformed("a packet has more than \(capacity) bytes") }
      if packet.has_excess { return .malformed("a packet came with more descriptors than one") }
      if packet.length == 0 { return .ended }
      return decode(UnsafeRawBufferPointer(rebasing: buffer[..<packet.length]), packet.memory)
    }
  }

  private func decode(_ bytes: UnsafeRawBufferPointer, _ memory: CInt) -> Arrival {
    do {
      let frame = try Frame.decode(
        bytes, hasMemory: memory >= 0, messageLimit: limits.checkedMessageBytes,
        componentLimit: limits.checkedComponents)
      if memory >= 0, !gps_memory_is_sealed(memory) { return .malformed("it came with memory that is not sealed") }
      var components: [[UInt8]] = []
      components.reserveCapacity(frame.lengths.count)
      var place = frame.isInMemory ? 0 : frame.payloadStart
      for length in frame.lengths {
        if frame.isInMemory {
          guard let component = Channel.read(length, from: memory, at: place) else {
            return .malformed("its memory is shorter than its head says")
          }
          components.append(component)
        } else {
          components.append([UInt8](bytes[place..<place + length]))
        }
        place += length
      }
      return .packet(frame, PortMessage(id: frame.id, components: components))
    } catch {
      return .malformed(error.reason)
    }
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
    for packet in waste { packet.whenDone?(.invalid) }
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
