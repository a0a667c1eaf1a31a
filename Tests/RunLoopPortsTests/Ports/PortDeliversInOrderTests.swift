import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct PortDeliversInOrderTests {
  @Test(
    "X1 a message arrives on the loop's thread with its id, its components and its reply port",
    arguments: Driver.allCases)
  func parts(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let reply = Port { _ in }
      var got: [PortMessage] = []
      let port = Port { message in
        #expect(drive.loop.isCurrent)
        got.append(message)
        if got.count == 2 { drive.quit() }
      }
      drive.loop.add(port, forMode: .default)
      let sender = TestThread {
        try? port.send(PortMessage(id: 100, components: [[1, 2, 3], [], [4]], replyPort: reply))
        try? port.send(PortMessage(id: .max))
      }
      drive.run()
      sender.join()
      #expect(got.map(\.id) == [100, .max])
      #expect(got.map(\.components) == [[[1, 2, 3], [], [4]], []])
      #expect(got[0].replyPort === reply && got[1].replyPort == nil)
    }
  }

  @Test(
    "X1 X2 messages of several threads arrive each once, in each sender's order", arguments: Driver.allCases,
    [1, 3, 1024])
  func severalSenders(_ driver: Driver, _ capacity: Int) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (senders, count) = (4, capacity == 1 ? 500 : 5_000)
      var next = [Int](repeating: 0, count: senders)
      var wrong = 0
      let port = Port(capacity: capacity) { message in
        let sender = Int(message.components[0][0])
        if next[sender] != Int(message.id) { wrong += 1 }
        next[sender] += 1
        if next.allSatisfy({ $0 == count }) { drive.quit() }
      }
      drive.loop.add(port, forMode: .default)
      let threads = (0..<senders).map { sender in
        TestThread {
          for id in 0..<count { try! port.send(PortMessage(id: UInt32(id), components: [[UInt8(sender)]])) }
        }
      }
      drive.run(limit: .seconds(300))
      for thread in threads { thread.join() }
      #expect(next == [Int](repeating: count, count: senders))
      #expect(wrong == 0)
    }
  }

  @Test(
    "X1 what a handler sends to its own port comes in a later pass, behind what was there", arguments: Driver.allCases)
  func sentByHandler(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [UInt32] = []
      var port: Port!
      port = Port { message in
        log.append(message.id)
        if message.id < 3 { try! port.send(PortMessage(id: message.id + 10)) }
        if message.id == 12 { drive.quit() }
      }
      drive.loop.add(port, forMode: .default)
      for id in 0..<3 as Range<UInt32> { try port.send(PortMessage(id: id)) }
      drive.run()
      port.invalidate()
      #expect(log == [0, 1, 2, 10, 11, 12])
    }
  }

  @Test("X1 R8 a message ends a sleep, and none is lost between two sleeps", arguments: Driver.allCases)
  func wakes(_ driver: Driver) async throws {
    try await onLoopThread {
      let worker = DrivenWorker(driver)
      let gates = Locked<[Gate<Void>]>([])
      let port = Port(sendableHandler: { _ in gates.withLock { $0.removeFirst() }.open() })
      worker.loop.add(port, forMode: .default)
      for _ in 0..<2_000 {
        let gate = Gate<Void>()
        gates.withLock { $0.append(gate) }
        try port.send(PortMessage(id: 0))
        gate.wait()
      }
      port.invalidate()
      worker.finish()
    }
  }
}
