import GLibRunLoop
import Glibc
import Testing

/// Each descriptor was polled for output as well, whatever its source had asked for; a socket can nearly always be
/// written, so that the wait never waited.
/// https://github.com/Igalia/wpe-android/pull/272
@Suite struct WritableAlwaysAskedRegression {
  @Test("S5, R8 a socket with room wakes nobody who asked to read (WPE on Android)", arguments: Driver.allCases)
  func onlyReadable(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let sockets = Self.socketPair()
      defer { for socket in sockets { close(socket) } }
      let source = GRunLoop.DescriptorSource(fileDescriptor: sockets[0], events: .readable) { _, _ in
        Issue.record("nothing is there to read")
      }
      drive.loop.add(source, forMode: .default)
      let foreign = drive.loop.add(Foreign.readable(sockets[1]) { true }, forMode: .default)
      let iterations = Iterations(of: drive.loop.context)
      #expect(iterations.during { drive.run(for: .milliseconds(200)) } < 30)
      source.invalidate()
      foreign.invalidate()
    }
  }

  @Test("S5, R8 when all is written, room is no news any more", arguments: Driver.allCases)
  func askedForAWhile(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let sockets = Self.socketPair()
      defer { for socket in sockets { close(socket) } }
      var calls = 0
      let source = GRunLoop.DescriptorSource(fileDescriptor: sockets[0], events: [.readable, .writable]) { source, _ in
        calls += 1
        source.events = .readable
      }
      drive.loop.add(source, forMode: .default)
      let iterations = Iterations(of: drive.loop.context)
      #expect(iterations.during { drive.run(for: .milliseconds(200)) } < 30)
      #expect(calls == 1)
      source.invalidate()
    }
  }

  private static func socketPair() -> [CInt] {
    var ends: [CInt] = [-1, -1]
    #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    return ends
  }
}
