import GLibRunLoop
import Glibc
import Testing

@Suite struct DescriptorEventsTests {
  typealias Events = GRunLoop.DescriptorSource.Events

  @Test("S5 writable: fires while there is room, not while the pipe is full", arguments: Driver.allCases)
  func writable(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      var calls: [Events] = []
      var full = false
      let timer = GRunLoop.Timer(interval: .milliseconds(10)) { _ in
        pipe.drain()
        full = false
      }
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.writer, events: .writable) { _, events in
        calls.append(events)
        #expect(!full)
        if calls.count == 3 {
          let bytes = [UInt8](repeating: 0, count: 4096)
          while write(pipe.writer, bytes, bytes.count) > 0 {}
          full = true
          drive.loop.add(timer, forMode: .default)
        }
        if calls.count == 4 { drive.quit() }
      }
      drive.loop.add(source, forMode: .default)
      drive.run()
      #expect(calls == [.writable, .writable, .writable, .writable])
    }
  }

  @Test("S5 hung up: told when the writer is gone, with what is left to read first", arguments: Driver.allCases)
  func pipeHangUp(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      var calls: [Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { source, events in
        calls.append(events)
        if pipe.drain() == 0 {
          source.invalidate()
          drive.quit()
        }
      }
      drive.loop.add(source, forMode: .default)
      pipe.write()
      pipe.closeWriter()
      drive.run()
      #expect(calls == [[.readable, .hungUp], .hungUp])
    }
  }

  @Test("S5 hung up, if asked for: told when a socket's peer stops sending", arguments: Driver.allCases)
  func socketHalfClose(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var ends: [CInt] = [0, 0]
      try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
      defer { for end in ends { close(end) } }
      var calls: [Events] = []
      let asks = GRunLoop.DescriptorSource(fileDescriptor: ends[0], events: .hungUp) { source, events in
        calls.append(events)
        source.invalidate()
        drive.quit()
      }
      drive.loop.add(asks, forMode: .default)
      _ = write(ends[1], "x", 1)
      for _ in 0..<3 { drive.poll() }
      // Data is not what it asked for.
      #expect(calls == [])
      shutdown(ends[1], CInt(SHUT_WR))
      drive.run()
      #expect(calls == [.hungUp])
    }
  }

  @Test("S5 an error is told whether asked for or not", arguments: Driver.allCases)
  func error(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      var calls: [Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.writer, events: .writable) { source, events in
        calls.append(events)
        source.invalidate()
        drive.quit()
      }
      pipe.closeReader()
      drive.loop.add(source, forMode: .default)
      drive.run()
      #expect(calls == [[.writable, .error]])
    }
  }
}
