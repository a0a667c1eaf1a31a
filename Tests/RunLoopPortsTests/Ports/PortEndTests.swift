import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct PortEndTests {
  /// A port that is full, and a thread that sends to it: with what that ends.
  private func fullPort(on loop: GRunLoop) throws -> (Port, sender: TestThread, outcome: Gate<PortFailure?>) {
    let port = Port(capacity: 1, sendableHandler: { _ in })
    loop.add(port, forMode: "later")
    try port.send(PortMessage(id: 1))
    let outcome = Gate<PortFailure?>()
    let sender = TestThread {
      do {
        try port.send(PortMessage(id: 2))
        outcome.open(nil)
      } catch { outcome.open(error as? PortFailure ?? .noReply) }
    }
    return (port, sender, outcome)
  }

  @Test("X2 X1 invalidating a port tells who waits to send, and who sends later")
  func invalidated() async throws {
    try await onLoopThread {
      let worker = LoopWorker()
      let (port, sender, outcome) = try fullPort(on: worker.loop)
      port.invalidate()
      #expect(outcome.wait() == .invalid)
      sender.join()
      #expect(throws: PortFailure.invalid) { try port.send(PortMessage(id: 3)) }
      #expect(!port.isValid)
      worker.finish()
    }
  }

  @Test("X1 L5 when the loop's thread ends, its ports end: senders are told")
  func loopEnds() async throws {
    try await onLoopThread {
      let worker = LoopWorker()
      let (port, sender, outcome) = try fullPort(on: worker.loop)
      worker.finish()
      #expect(outcome.wait() == .invalid)
      sender.join()
      #expect(!port.isValid)
    }
  }

  @Test(
    "X1 S8 a port that is invalidated inside its handler gets no later call, and all that it held is freed",
    arguments: Driver.allCases)
  func invalidatedInHandler(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let handlers = LifeCount()
      var calls = 0
      weak var weakPort: Port?
      do {
        let token = handlers.token()
        var port: Port!
        port = Port { _ in
          token.touch()
          calls += 1
          port.invalidate()
        }
        weakPort = port
        drive.loop.add(port, forMode: .default)
        // Messages that hold the port itself.
        for _ in 0..<5 { try port.send(PortMessage(id: 1, replyPort: port)) }
        drive.poll()
        port = nil
      }
      #expect(calls == 1)
      #expect(handlers.value == 0)
      #expect(weakPort == nil)
    }
  }

  @Test("X1 the loop holds a port that is in a mode, and lets go of it when it is removed")
  func held() async throws {
    try await onLoopThread {
      weak var weakPort: Port?
      do {
        let port = Port { _ in }
        weakPort = port
        GRunLoop.current.add(port, forMode: .default)
      }
      #expect(weakPort != nil)
      if let port = weakPort { GRunLoop.current.remove(port, forMode: .default) }
      #expect(weakPort == nil)
    }
  }

  @Test("X1 a port whose handler is not Sendable is refused by another thread's loop")
  func refused() async throws {
    try await onLoopThread {
      let worker = LoopWorker()
      let port = Port { _ in }
      let warnings = CapturedWarnings.during { #expect(!worker.loop.add(port, forMode: .default)) }
      #expect(warnings.count == 1)
      #expect(port.isValid && port.loop == nil)
      worker.finish()
    }
  }
}
