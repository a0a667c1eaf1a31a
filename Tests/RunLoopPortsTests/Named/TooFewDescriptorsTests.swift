import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct TooFewDescriptorsTests {
  @Test("X3 X5 a port whose process has no descriptor left lets peers wait, serves the others, and goes on when it has")
  func pauses() async throws {
    try await onLoopThread {
      try inTime(from: .milliseconds(500)) { time in
        let name = NamePlace.abstract.name
        let process = PeerProcess("scarce", name.rawValue)
        #expect(process.line() == "ready")
        let first = try RemotePort(name, on: .current)
        #expect(try first.request(PortMessage(id: 0), replyMode: "reply").id == 0)
        // The kernel connects it; the port cannot take it in.
        let second = try RemotePort(name, on: .current)
        #expect(throws: PortFailure.timedOut) {
          try second.request(PortMessage(id: 0), receiveTimeout: time, replyMode: "reply")
        }
        let report = try first.request(PortMessage(id: 4), replyMode: "reply")
        // A few tries a second: a loop that spins makes a hundred thousand passes in that time.
        #expect(report.id < 1000)
        #expect(try second.request(PortMessage(id: 0, components: [[7]]), replyMode: "reply").components == [[7]])
        #expect(second.isValid)
        // On a busy machine it may not have tried yet.
        if report.components == [[0]] { return false }
        // Said once, not at each try.
        #expect(report.components == [[1]])
        return true
      }
    }
  }
}
