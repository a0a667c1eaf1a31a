import GLibRunLoop

/// A peer of a ``MessagePort``.
final class Connection: @unchecked Sendable {
  // Invariant for @unchecked: the counts are guarded by the channel's monitor; `source` is set once, in init.
  let channel: Channel
  private(set) var source: GRunLoop.DescriptorSource! = nil
  private let port: String
  private weak let owner: MessagePort?
  /// Requests that are there and not ended, and the bytes that they hold.
  private var openRequests = 0
  private var openBytes = 0
  /// What the source watches for.
  private var shown: GRunLoop.DescriptorSource.Events = .readable

  init(_ descriptor: CInt, of port: MessagePort, order: Int, priority: GRunLoop.Priority) {
    channel = Channel(descriptor: descriptor, limits: port.limits)
    self.port = port.name.rawValue
    owner = port
    source = GRunLoop.DescriptorSource(
      fileDescriptor: descriptor, events: .readable, order: order, priority: priority,
      sendableHandler: { [weak self] _, events in self?.handle(events) })
    channel.interestChanged = { [weak self] in self?.showInterest() }
  }

  /// Under the channel's monitor.
  private func showInterest() {
    var events: GRunLoop.DescriptorSource.Events = []
    if mayRead || !channel.isOpen { events.insert(.readable) }
    if channel.hasOutgoing { events.insert(.writable) }
    if shown == events { return }
    shown = events
    source.events = events
  }

  private var mayRead: Bool {
    // A peer that does not read its answers is not read from either.
    openRequests < max(1, channel.limits.openRequests) && openBytes < max(1, channel.limits.openBytes)
      && !channel.hasOutgoing
  }

  // MARK: On the loop's thread

  /// How many packets one peer may have handled before the loop looks at the others.
  private static let share = 32

  private func handle(_ events: GRunLoop.DescriptorSource.Events) {
    if events.contains(.writable) { channel.flush() }
    guard !events.isDisjoint(with: [.readable, .hungUp, .error]) else { return }
    guard let owner else { return }
    let known = owner.disturbances.load(ordering: .relaxed)
    for _ in 0..<Connection.share where owner.disturbances.load(ordering: .relaxed) == known {
      guard channel.monitor.withLock({ mayRead || !channel.isOpen || !events.contains(.readable) }) else { return }
      switch channel.receive() {
      case .nothing: return
      case .ended: return end()
      case .malformed(let reason): return end("\(reason); closed that connection")
      case .packet(let frame, let message): if !take(frame, message, for: owner) { return }
      }
    }
  }

  /// False if there is no more to be taken, most likely.
  private func take(_ frame: Frame, _ message: PortMessage, for owner: MessagePort) -> Bool {
    guard owner.isValid else { return false }
    switch frame.kind {
    case .message:
      owner.deliver(PortRequest(message, sequence: 0, connection: self))
    case .request:
      channel.monitor.withLock {
        openRequests += 1
        openBytes += frame.payloadLength
        showInterest()
      }
      owner.deliver(PortRequest(message, sequence: frame.sequence, connection: self))
      // Who asked one thing and got the answer asks the next one when it has read that.
      return channel.monitor.withLock { openRequests > 0 }
    case .reply, .noReply:
      end("an answer came, and nothing was asked; closed that connection")
      return false
    }
    return true
  }

  // MARK: From any thread

  func requestEnded(_ weight: Int) {
    channel.monitor.withLock {
      openRequests -= 1
      openBytes -= weight
      showInterest()
    }
  }

  func send(_ packet: Packet) {
    if !channel.send(packet, limit: channel.limits.unreadBytes) {
      diagnose("a peer does not read its answers; closed that connection")
      // The loop's thread finds it hung up.
      channel.end()
      channel.monitor.withLock { showInterest() }
    }
  }

  private func end(_ reason: String) {
    diagnose(reason)
    end()
  }

  func diagnose(_ reason: String) { RunLoopPorts.diagnose("port \"\(port)\": \(reason)") }

  /// Closes it. After this nothing of the peer's is read.
  func end() {
    source.invalidate()
    channel.finish()
    owner?.forget(self)
  }
}
