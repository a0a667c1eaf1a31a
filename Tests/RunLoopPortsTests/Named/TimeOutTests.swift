import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct TimeOutTests {
  @Test("X3 an answer that comes after its time is dropped, and answers no other request")
  func lateAnswer() async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      let kept = Locked<[PortRequest]>([])
      // Answers the first request together with the second one, and before it.
      let port = try MessagePort(
        name: name,
        sendableHandler: { request in
          if request.message.id == 1 { return kept.withLock { $0.append(request) } }
          try? kept.withLock { $0.removeLast() }.reply(PortMessage(id: 1))
          try? request.reply(PortMessage(id: 2))
        })
      let worker = LoopWorker()
      worker.loop.add(port, forMode: .common)
      let remote = try RemotePort(name, on: .current)
      for _ in 0..<20 {
        let start = GRunLoop.Instant.now
        #expect(throws: PortFailure.timedOut) {
          try remote.request(PortMessage(id: 1), receiveTimeout: .milliseconds(5), replyMode: "reply")
        }
        #expect(.now - start >= .milliseconds(5))
        #expect(try remote.request(PortMessage(id: 2), replyMode: "reply").id == 2)
      }
      port.invalidate()
      worker.finish()
    }
  }

  @Test("X2 X3 a peer that does not read: sends and requests time out, and none of them arrives later")
  func sendTimesOut() async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      let log = Log(of: UInt32.self)
      let port = try MessagePort(
        name: name,
        sendableHandler: { request in
          log.append(request.message.id)
          if request.expectsReply { try? request.reply(PortMessage(id: 0)) }
        })
      let remote = try RemotePort(name, on: .current)
      // The port is in no mode yet: the kernel keeps what it has room for.
      let bytes = [UInt8](repeating: 1, count: 10_000)
      var sent: UInt32 = 0
      while (try? remote.send(PortMessage(id: sent, components: [bytes]), before: .distantPast)) != nil { sent += 1 }
      #expect(sent > 0)
      let start = GRunLoop.Instant.now
      #expect(throws: PortFailure.timedOut) {
        try remote.send(PortMessage(id: 10_000, components: [bytes]), before: start + .milliseconds(20))
      }
      #expect(.now - start >= .milliseconds(20))
      #expect(throws: PortFailure.timedOut) {
        try remote.request(
          PortMessage(id: 10_001, components: [bytes]), sendTimeout: .milliseconds(20), replyMode: "reply")
      }
      let worker = LoopWorker()
      worker.loop.add(port, forMode: .common)
      #expect(try remote.request(PortMessage(id: 10_002), sendTimeout: .seconds(60), replyMode: "reply").id == 0)
      #expect(log.entries == Array(0..<sent) + [10_002])
      port.invalidate()
      worker.finish()
    }
  }

  @Test("X3 a request that the receiver lets go of fails at once; a second answer is refused")
  func noReply() async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      let refusals = Locked(0)
      let port = try MessagePort(
        name: name,
        sendableHandler: { request in
          guard request.message.id == 2 else { return }
          try? request.reply(PortMessage(id: 2))
          do { try request.reply(PortMessage(id: 3)) } catch { refusals.withLock { $0 += 1 } }
        })
      let worker = LoopWorker()
      worker.loop.add(port, forMode: .common)
      let remote = try RemotePort(name, on: .current)
      #expect(throws: PortFailure.noReply) { try remote.request(PortMessage(id: 1), replyMode: "reply") }
      #expect(try remote.request(PortMessage(id: 2), replyMode: "reply").id == 2)
      #expect(try remote.request(PortMessage(id: 2), replyMode: "reply").id == 2)
      // The handler of the first of the two has returned: the second one was taken behind it.
      #expect(refusals.withLock { $0 } >= 1)
      port.invalidate()
      worker.finish()
    }
  }
}
