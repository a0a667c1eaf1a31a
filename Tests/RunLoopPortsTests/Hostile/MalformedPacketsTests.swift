import GLibRunLoop
import Glibc
import RunLoopPorts
import Testing

@Suite struct MalformedPacketsTests {
  /// What is wrong with it, and the bytes.
  static let packets: [(fault: String, bytes: [UInt8])] = [
    ("one byte", [7]),
    ("half a head", Array(RawPeer.packet().prefix(16))),
    ("garbage", (0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }),
    ("other magic", RawPeer.packet(magic: 0)),
    ("other version", RawPeer.packet(version: 2)),
    ("unknown kind", RawPeer.packet(kind: 9)),
    ("unknown flag", RawPeer.packet(flags: 2)),
    ("memory that is missing", RawPeer.packet(flags: 1, total: 100_000, lengths: [100_000])),
    ("more components than there are", RawPeer.packet(count: 3)),
    ("too many components", RawPeer.packet(count: .max)),
    ("too long", RawPeer.packet(count: 1, total: .max, lengths: [.max])),
    ("shorter than it says", Array(RawPeer.packet(components: [[1, 2, 3]]).dropLast())),
    ("longer than it says", RawPeer.packet(components: [[1, 2, 3]]) + [4]),
    ("lengths that do not add up", RawPeer.packet(total: 3, lengths: [2], components: [[1, 2, 3]])),
    ("a request without a number", RawPeer.packet(sequence: 0)),
    ("a message with a number", RawPeer.packet(kind: 2, sequence: 5)),
    ("an answer", RawPeer.packet(kind: 3)),
    ("no answer", RawPeer.packet(kind: 4)),
    ("longer than any packet", [UInt8](repeating: 0, count: 150_000)),
  ]

  @Test(
    "X5 malformed bytes close that connection with a diagnostic; the port and the other peers go on",
    arguments: packets.indices, Driver.allCases)
  func closed(_ index: Int, _ driver: Driver) async throws {
    let packet = MalformedPacketsTests.packets[index]
    try await onLoopThread {
      let drive = Drive(driver)
      let name = NamePlace.abstract.name
      var calls = 0
      let port = try MessagePort(name: name) { request in
        calls += 1
        try? request.reply(request.message)
      }
      drive.loop.add(port, forMode: .common)
      let good = try RemotePort(name, on: drive.loop)
      #expect(try good.request(PortMessage(id: 1), replyMode: .default).id == 1)
      let bad = RawPeer(name)
      #expect(bad.send(packet.bytes))
      // A well-formed one behind it is not read any more.
      bad.send(RawPeer.packet(id: 8, sequence: 2))
      let warnings = CapturedWarnings.during {
        let end = GRunLoop.Instant.now + .seconds(30)
        while !bad.isClosed, .now < end { drive.poll() }
      }
      #expect(bad.isClosed, "\(packet.fault)")
      #expect(warnings.count == 1 && warnings[0].contains(name.rawValue), "\(packet.fault): \(warnings)")
      #expect(calls == 1)
      #expect(try good.request(PortMessage(id: 2), replyMode: .default).id == 2)
      let next = try RemotePort(name, on: drive.loop)
      #expect(try next.request(PortMessage(id: 3), replyMode: .default).id == 3)
      #expect(port.connectionCount == 2)
      port.invalidate()
    }
  }

  @Test("X5 the wire format is as documented: such bytes are a request, and this is its answer")
  func wellFormed() async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      let port = try MessagePort(name: name) { try? $0.reply(PortMessage(id: 6, components: [[9], [8, 7]])) }
      GRunLoop.current.add(port, forMode: .default)
      let peer = RawPeer(name)
      peer.send(RawPeer.packet(id: 5, sequence: 0x1122_3344_5566_7788, components: [[1, 2], []]))
      var bytes = [UInt8](repeating: 0, count: 1_000)
      var count = -1
      let end = GRunLoop.Instant.now + .seconds(30)
      while count < 0, .now < end {
        GRunLoop.current.run(until: .distantPast)
        count = recv(peer.socket, &bytes, bytes.count, 0)
      }
      #expect(
        Array(bytes.prefix(max(0, count)))
          == RawPeer.packet(kind: 3, id: 6, sequence: 0x1122_3344_5566_7788, components: [[9], [8, 7]]))
      port.invalidate()
    }
  }
}
