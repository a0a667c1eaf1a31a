import CGLib
import GLibRunLoop
import Testing

@Suite struct HostPrioritiesTests {
  @Test("R11, R10 work of other priorities comes in turns of its own, the best first, with GLib's sources between")
  func lanes() async throws {
    try await withPollingHost { host in
      let log = Log(of: String.self)
      // The first work of a priority opens it, in a turn.
      for priority in [GRunLoop.Priority.idle, .high] { host.loop.perform(priority: priority) {} }
      host.settle()
      host.loop.perform(priority: .idle) { log.append("200") }
      host.loop.perform { log.append("0") }
      host.loop.perform(priority: .high) { log.append("-100") }
      Foreign.idle(priority: 150) {
        log.append("150")
        return false
      }.attach(to: host.loop.context)
      host.settle()
      #expect(log.entries == ["-100", "0", "150", "200"])
    }
  }

  @Test("R11, R10 a flood leaves the host its turns: each iterate() does what was there when it began")
  func flood() async throws {
    try await withPollingHost { host in
      let log = Log(of: Int.self)
      let loop = host.loop
      @Sendable func again(_ number: Int) {
        log.append(number)
        loop.perform { again(number + 1) }
      }
      loop.perform { again(0) }
      var turns = 0
      while log.count < 100 {
        let before = log.count
        #expect(host.isReadable)
        loop.iterate()
        turns += 1
        #expect(log.count - before <= 2)
      }
      #expect(turns >= 50)
    }
  }
}
