import CFaults
import GLibRunLoop
import Glibc
import RunLoopPorts
import Testing

/// Memory that can be sealed comes from memfd_create(2) alone, and the other end takes nothing else.
@Suite struct NoMemoryFilesTests {
  private let long = [UInt8](repeating: 1, count: 1 << 20)
  private let short = [UInt8](repeating: 2, count: 65_536)

  @Test("H2, X4 where there is no memfd_create, long messages are refused with words; shorter ones go on")
  func sender() async throws {
    try await onLoopThread {
      let echo = try EchoPort()
      let remote = try RemotePort(echo.name, on: .current)
      for error in [ENOSYS, EPERM] {
        fault_set(FAULT_MEMFD_CREATE, error, 0, -1)
        defer { fault_set(FAULT_MEMFD_CREATE, 0, 0, 0) }
        do {
          _ = try remote.request(PortMessage(id: 1, components: [long]), replyMode: .connectionReply)
          Issue.record("the message was sent")
        } catch let failure as PortFailure {
          guard case .notSendable(let reason) = failure else {
            Issue.record("\(failure)")
            continue
          }
          #expect(reason.contains("more than 65536 bytes") && reason.contains("memfd_create failed: "), "\(reason)")
        }
        let reply = try remote.request(PortMessage(id: 2, components: [short]), replyMode: .connectionReply)
        #expect(reply.components == [short])
      }
      let reply = try remote.request(PortMessage(id: 3, components: [long]), replyMode: .connectionReply)
      #expect(reply.components == [long])
      echo.finish()
    }
  }

  @Test("H2, X4 another process that has none hears long messages, and says why it does not answer with one")
  func receiver() async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      let peer = PeerProcess("serve", name.rawValue, refused: ("memfd_create", "EPERM"))
      #expect(peer.line() == "ready")
      let remote = try RemotePort(name, on: .current)
      let refused = try remote.request(PortMessage(id: 5, components: [long]), replyMode: .connectionReply)
      let reason = String(decoding: refused.components[0], as: UTF8.self)
      #expect(reason.contains("memfd_create failed: Operation not permitted"), "\(reason)")
      let reply = try remote.request(PortMessage(id: 5, components: [short]), replyMode: .connectionReply)
      #expect(reply.components == [short])
    }
  }
}
