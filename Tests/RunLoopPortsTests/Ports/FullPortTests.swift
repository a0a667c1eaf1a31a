import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct FullPortTests {
  @Test("X2 a full port makes the sender wait until its date, and fails with a time-out; the message never arrives")
  func timesOut() async throws {
    try await onLoopThread {
      let worker = LoopWorker()
      let log = Log(of: UInt32.self)
      let port = Port(capacity: 2, sendableHandler: { log.append($0.id) })
      // In a mode that the worker's loop is not in.
      worker.loop.add(port, forMode: "later")
      try port.send(PortMessage(id: 1))
      try port.send(PortMessage(id: 2), before: .distantPast)
      let start = GRunLoop.Instant.now
      #expect(throws: PortFailure.timedOut) {
        try port.send(PortMessage(id: 3), before: start + .milliseconds(20))
      }
      #expect(.now - start >= .milliseconds(20))
      #expect(throws: PortFailure.timedOut) { try port.send(PortMessage(id: 4), before: .distantPast) }
      worker.loop.add(port, forMode: .common)
      #expect(eventually { log.count == 2 })
      try port.send(PortMessage(id: 5))
      #expect(eventually { log.count == 3 })
      #expect(log.entries == [1, 2, 5])
      port.invalidate()
      worker.finish()
    }
  }

  @Test("X2 a waiting sender goes on as soon as one message is delivered", arguments: Driver.allCases)
  func goesOn(_ driver: Driver) async throws {
    try await onLoopThread {
      let worker = DrivenWorker(driver)
      let sent = Gate<Void>()
      let log = Log(of: UInt32.self)
      let port = Port(
        capacity: 2,
        sendableHandler: { message in
          log.append(message.id)
          // With the first one taken there is room: the sender need not wait for the whole batch.
          if message.id == 1 { sent.wait() }
        })
      try port.send(PortMessage(id: 1))
      try port.send(PortMessage(id: 2))
      let sender = TestThread {
        try? port.send(PortMessage(id: 3), before: .now + .seconds(60))
        sent.open()
      }
      worker.loop.add(port, forMode: .default)
      sender.join()
      #expect(eventually { log.count == 3 })
      #expect(log.entries == [1, 2, 3])
      port.invalidate()
      worker.finish()
    }
  }

  @Test("X2 the port's own thread does not wait for itself")
  func ownThread() async throws {
    try await onLoopThread {
      let port = Port(capacity: 1) { _ in }
      GRunLoop.current.add(port, forMode: .default)
      try port.send(PortMessage(id: 1))
      #expect(throws: PortFailure.timedOut) { try port.send(PortMessage(id: 2)) }
      port.invalidate()
    }
  }

  @Test("X2 the capacity is 1024 unless set, at least one, and a larger one lets a waiting sender go on")
  func capacity() async throws {
    try await onLoopThread {
      let worker = LoopWorker()
      let port = Port(sendableHandler: { _ in })
      worker.loop.add(port, forMode: "later")
      for _ in 0..<1024 { try port.send(PortMessage(id: 1), before: .distantPast) }
      #expect(throws: PortFailure.timedOut) { try port.send(PortMessage(id: 1), before: .distantPast) }
      port.capacity = 0
      #expect(port.capacity == 1)
      let waiting = Gate<Void>()
      let outcome = Gate<PortFailure?>()
      let sender = TestThread {
        waiting.open()
        do {
          try port.send(PortMessage(id: 2), before: .now + .seconds(60))
          outcome.open(nil)
        } catch { outcome.open(error as? PortFailure ?? .noReply) }
      }
      waiting.wait()
      port.capacity = 1025
      #expect(outcome.wait() == nil)
      sender.join()
      port.invalidate()
      worker.finish()
    }
  }
}
