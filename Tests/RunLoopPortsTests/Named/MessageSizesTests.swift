import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct MessageSizesTests {
  @Test("X4 messages of every size up to 64 MiB arrive whole; empty ones, too")
  func sizes() async throws {
    try await onLoopThread {
      let echo = try EchoPort()
      let remote = try RemotePort(echo.name, on: .current)
      for size in [0, 1, 31, 4_096, 65_535, 65_536, 65_537, 1 << 20, 64 << 20] {
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
          for place in 0..<size { buffer[place] = UInt8(truncatingIfNeeded: place &* 31 &+ place >> 8) }
          count = size
        }
        let reply = try remote.request(PortMessage(id: 1, components: [bytes]), replyMode: .connectionReply)
        #expect(reply.components.count == 1 && reply.components[0] == bytes, "size \(size)")
      }
      echo.finish()
    }
  }

  @Test("X4 components keep their bounds, in the packet and in memory", arguments: [1, 70_000])
  func components(_ size: Int) async throws {
    try await onLoopThread {
      let echo = try EchoPort()
      let remote = try RemotePort(echo.name, on: .current)
      let components: [[UInt8]] = [[], [1], [UInt8](repeating: 2, count: size), [], [3, 4], []]
      let reply = try remote.request(PortMessage(id: .max, components: components), replyMode: .connectionReply)
      #expect(reply.components == components && reply.id == .max)
      let many = [[UInt8]](repeating: [7], count: 1024)
      #expect(try remote.request(PortMessage(id: 0, components: many), replyMode: "reply").components == many)
      echo.finish()
    }
  }

  @Test("X4 short and long messages of one sender arrive in the order sent", arguments: Driver.allCases)
  func order(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let name = NamePlace.abstract.name
      let count = 600
      var got: [UInt32] = []
      var wrong = 0
      let port = try MessagePort(name: name) { request in
        #expect(!request.expectsReply)
        got.append(request.message.id)
        if request.message.components[0].count != MessageSizesTests.size(request.message.id) { wrong += 1 }
        if got.count == count { drive.quit() }
      }
      drive.loop.add(port, forMode: .default)
      let sender = TestThread {
        let remote = try! RemotePort(name, on: .current)
        for id in 0..<UInt32(count) {
          try! remote.send(
            PortMessage(id: id, components: [[UInt8](repeating: 1, count: MessageSizesTests.size(id))]))
        }
      }
      drive.run()
      sender.join()
      port.invalidate()
      #expect(got == Array(0..<UInt32(count)))
      #expect(wrong == 0)
    }
  }

  private static func size(_ id: UInt32) -> Int { id % 7 == 0 ? 100_000 : Int(id) }

  @Test("X4 what is over a limit, or cannot leave the process, is refused before it is sent; the next one goes")
  func refused() async throws {
    try await onLoopThread {
      let echo = try EchoPort()
      let remote = try RemotePort(echo.name, on: .current)
      let tooLong = PortMessage(id: 1, components: [[UInt8](repeating: 0, count: 64 << 20 + 1)])
      let tooMany = PortMessage(id: 1, components: [[UInt8]](repeating: [], count: 1025))
      let withPort = PortMessage(id: 1, replyPort: Port { _ in })
      for message in [tooLong, tooMany, withPort] {
        for isRequest in [false, true] {
          do {
            if isRequest { _ = try remote.request(message, replyMode: "reply") } else { try remote.send(message) }
            Issue.record("it was sent")
          } catch PortFailure.notSendable {}
        }
      }
      #expect(try remote.request(PortMessage(id: 5), replyMode: "reply").id == 5)
      echo.finish()
    }
  }
}
