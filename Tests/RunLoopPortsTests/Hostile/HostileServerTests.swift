import CPortShims
import GLibRunLoop
import Glibc
import RunLoopPorts
import Testing

@Suite struct HostileServerTests {
  @Test(
    "X5 X6 a server that answers nonsense: the request fails at once with a diagnostic, the loop goes on",
    arguments: [
      [1, 2, 3], RawPeer.packet(kind: 3, sequence: 99), RawPeer.packet(kind: 1), RawPeer.packet(kind: 2, sequence: 0),
      RawPeer.packet(kind: 4, count: 1, total: 0, lengths: [0]), RawPeer.packet(kind: 3, total: 1 << 40),
    ])
  func nonsense(_ answer: [UInt8]) async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      let listener = gps_socket()
      let address = Array("runloop-ports/\(geteuid())/\(name)".utf8)
      gps_bind(listener, address, address.count, true)
      listen(listener, 4)
      let server = TestThread {
        let peer = RawPeer(accepted: accept(listener, nil, nil))
        var bytes = [UInt8](repeating: 0, count: 100)
        _ = recv(peer.socket, &bytes, bytes.count, 0)
        peer.send(answer)
        // Until the other end closes.
        _ = recv(peer.socket, &bytes, bytes.count, 0)
      }
      let remote = try RemotePort(name, on: .current)
      let warnings = CapturedWarnings.during {
        #expect(throws: PortFailure.invalid) { try remote.request(PortMessage(id: 1), replyMode: "reply") }
      }
      #expect(warnings.count == 1)
      #expect(!remote.isValid)
      server.join()
      close(listener)
    }
  }

  @Test(
    "X5 another user who connects is turned away, and one who has taken the name is not spoken to",
    .enabled(if: getuid() == 0, "only root can become another user"))
  func otherUser() async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      var calls = 0
      let port = try MessagePort(name: name) { _ in calls += 1 }
      GRunLoop.current.add(port, forMode: .default)
      let intruder = PeerProcess("intrude", name.rawValue)
      let warnings = CapturedWarnings.during {
        let end = GRunLoop.Instant.now + .seconds(30)
        var isSaid = false
        while !isSaid, .now < end {
          // The line comes once the port has closed the connection.
          isSaid =
            GRunLoop.current.run(mode: .default, for: .seconds(30), returnAfterSourceHandled: true)
            == .handledSource
        }
      }
      #expect(intruder.line() == "turned away")
      #expect(warnings.count == 1 && warnings[0].contains("65534") && calls == 0 && port.connectionCount == 0)
      port.invalidate()
      let squatter = PeerProcess("squat", name.rawValue)
      #expect(squatter.line() == "ready")
      #expect(throws: PortFailure.foreignUser(65_534)) { try RemotePort(name, on: .current) }
      #expect(throws: PortFailure.nameTaken(name.rawValue)) { try MessagePort(name: name) { _ in } }
    }
  }
}
