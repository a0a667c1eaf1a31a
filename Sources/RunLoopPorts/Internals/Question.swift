import GLibRunLoop

/// A request that waits for its answer. Whoever takes it out of its port's table settles it, so it is settled once.
class Question: PacketSender, @unchecked Sendable {
  // Invariant for @unchecked: what changes here is guarded by the port's monitor; the subclasses say the rest.

  /// Whoever asks is in a method of the port's, so that this holds it no longer than that.
  let port: RemotePort
  var sequence: UInt64 = 0
  var packet: Packet?
  /// Cancelled, perhaps before it was asked.
  var isCancelled = false

  init(of port: RemotePort) { self.port = port }

  /// Whether the port's loop is to take the answer; else the thread that asks does.
  var isAwaited: Bool { true }

  final func packetIsDone(_ failure: PortFailure?) {
    if let failure { port.settle(port.monitor.withLock { sequence }, .failure(failure)) } else { wasSent() }
  }

  /// The other process can read it.
  func wasSent() {}
  func settle(_ result: Result<PortMessage, any Error>) {}
}

/// One that a thread waits for, in a run of its loop.
final class WaitingQuestion: Question, @unchecked Sendable {
  // Invariant for @unchecked: the expectation orders what others write before what the waiting thread reads.
  private let loop: GRunLoop
  private(set) var expectation: Expectation! = nil
  private(set) var answer: Result<PortMessage, any Error>?
  private(set) var isSent = false

  init(of port: RemotePort, on loop: GRunLoop) {
    self.loop = loop
    super.init(of: port)
    // Called in the method that holds this.
    expectation = Expectation(descriptor: port.channel.descriptor) { [unowned(unsafe) self] in
      port.pump(until: self.expectation)
    }
  }

  override var isAwaited: Bool { false }

  override func wasSent() {
    isSent = true
    expectation.fulfil(on: loop)
  }

  override func settle(_ result: Result<PortMessage, any Error>) {
    answer = result
    expectation.fulfil(on: loop)
  }
}
