import GLibRunLoop
import Glibc
import RunLoopPorts
import Testing

@Suite struct FloodingPeersTests {
  @Test(
    "X5 a peer that asks and never reads is not read from any more; memory stays bounded, the others go on",
    arguments: Driver.allCases)
  func neverReads(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let name = NamePlace.abstract.name
      var calls = 0
      let answer = [UInt8](repeating: 1, count: 60_000)
      let port = try MessagePort(name: name) { request in
        calls += 1
        try? request.reply(PortMessage(id: request.message.id, components: [answer]))
      }
      drive.loop.add(port, forMode: .common)
      let bad = RawPeer(name)
      var sent: UInt64 = 0
      var idle = 0
      // Until the port takes no more for a hundred turns.
      while idle < 100, sent < 1_000_000 {
        idle += 1
        while bad.send(RawPeer.packet(id: 1, sequence: sent + 1)) {
          sent += 1
          idle = 0
        }
        drive.poll()
      }
      #expect(sent < 1_000_000)
      // Each answer is one packet; a few fit the kernel's buffer, and one waits here.
      #expect(calls < 100)
      let good = try RemotePort(name, on: drive.loop)
      #expect(try good.request(PortMessage(id: 3), replyMode: .default).id == 3)
      // And it is read from again once it reads.
      var bytes = [UInt8](repeating: 0, count: 70_000)
      var answered: UInt64 = 0
      let end = GRunLoop.Instant.now + .seconds(60)
      while answered < sent, .now < end {
        while recv(bad.socket, &bytes, bytes.count, 0) > 0 { answered += 1 }
        drive.poll()
      }
      #expect(answered == sent)
      port.invalidate()
    }
  }

  @Test("X5 no more requests of a peer are held than the limit says; they are read once others are answered")
  func openRequests() async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      var limits = PortLimits()
      limits.openRequests = 3
      var held: [PortRequest] = []
      let port = try MessagePort(name: name, limits: limits) { held.append($0) }
      GRunLoop.current.add(port, forMode: .default)
      let peer = RawPeer(name)
      for sequence in 1...10 as ClosedRange<UInt64> {
        peer.send(RawPeer.packet(id: UInt32(sequence), sequence: sequence))
      }
      for _ in 0..<50 { GRunLoop.current.run(until: .distantPast) }
      #expect(held.map(\.message.id) == [1, 2, 3])
      held.removeFirst()
      for _ in 0..<50 { GRunLoop.current.run(until: .distantPast) }
      #expect(held.map(\.message.id) == [2, 3, 4])
      port.invalidate()
    }
  }

  @Test("X5 answers that a peer lets lie are kept within the limit; beyond it that connection is closed")
  func unreadAnswers() async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      var limits = PortLimits()
      limits.unreadBytes = 1 << 20
      var held: [PortRequest] = []
      let port = try MessagePort(name: name, limits: limits) { held.append($0) }
      GRunLoop.current.add(port, forMode: .default)
      let peer = RawPeer(name)
      for sequence in 1...200 as ClosedRange<UInt64> {
        peer.send(RawPeer.packet(sequence: sequence))
        GRunLoop.current.run(until: .distantPast)
      }
      #expect(held.count > 50)
      let answer = PortMessage(id: 1, components: [[UInt8](repeating: 1, count: 60_000)])
      let warnings = CapturedWarnings.during {
        for request in held { try? request.reply(answer) }
        held = []
        for _ in 0..<50 { GRunLoop.current.run(until: .distantPast) }
      }
      #expect(warnings.count == 1 && port.connectionCount == 0)
      port.invalidate()
    }
  }

  @Test(
    "X5 thousands of connections: those over the limit are turned away with one line, the others go on",
    arguments: Driver.allCases)
  func thousands(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let name = NamePlace.abstract.name
      var limits = PortLimits()
      limits.connections = 20
      let port = try MessagePort(name: name, limits: limits) { try? $0.reply($0.message) }
      drive.loop.add(port, forMode: .common)
      let good = try RemotePort(name, on: drive.loop)
      #expect(try good.request(PortMessage(id: 1), replyMode: .default).id == 1)
      var peers: [RawPeer] = []
      let warnings = CapturedWarnings.during {
        for _ in 0..<3_000 {
          peers.append(RawPeer(name))
          if peers.count > 100 { peers.removeFirst(50) }
          drive.poll()
        }
      }
      #expect(port.connectionCount <= 20)
      #expect(warnings.count >= 1 && warnings.count < 200)
      #expect(try good.request(PortMessage(id: 2), replyMode: .default).id == 2)
      peers = []
      while port.connectionCount > 1 { drive.poll() }
      let next = try RemotePort(name, on: drive.loop)
      #expect(try next.request(PortMessage(id: 3), replyMode: .default).id == 3)
      port.invalidate()
    }
  }
}
