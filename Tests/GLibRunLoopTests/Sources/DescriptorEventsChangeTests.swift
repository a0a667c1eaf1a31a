import GLibRunLoop
import Glibc
import Testing

@Suite struct DescriptorEventsChangeTests {
  typealias Events = GRunLoop.DescriptorSource.Events

  @Test("S5 what is asked for can change; nothing asked is a pause, and nothing is lost", arguments: Driver.allCases)
  func changedEvents(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var ends: [CInt] = [0, 0]
      try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
      defer { for end in ends { close(end) } }
      var calls: [Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: ends[0], events: []) { source, events in
        calls.append(events)
        switch calls.count {
        case 1: source.events = .writable
        case 2: source.events = [.readable, .writable]
        case 3:
          source.events = []
          drive.quit()
        default: break
        }
      }
      drive.loop.add(source, forMode: .default)
      _ = write(ends[1], "x", 1)
      for _ in 0..<3 { drive.poll() }
      #expect(calls == [])
      source.events = .readable
      drive.run()
      drive.run(for: .milliseconds(5))
      #expect(calls == [.readable, .writable, [.readable, .writable]])
      #expect(source.events == [])
    }
  }
}
