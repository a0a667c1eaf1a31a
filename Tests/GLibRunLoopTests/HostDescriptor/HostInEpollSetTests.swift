import GLibRunLoop
import Glibc
import Testing

@Suite struct HostInEpollSetTests {
  @Test("R11 the descriptor goes into the host's epoll set, and a source may watch one of its own: as deep as sets go")
  func nested() async throws {
    try await withPollingHost { host in
      let (outer, inner) = (EpollSet(), EpollSet())
      let pipe = TestPipe()
      #expect(inner.add(pipe.reader))
      var calls = 0
      let source = GRunLoop.DescriptorSource(fileDescriptor: inner.descriptor, events: .readable) { _, _ in
        calls += 1
        pipe.drain()
      }
      host.loop.add(source, forMode: .default)
      host.settle()
      #expect(outer.add(host.descriptor))
      #expect(!outer.wait(milliseconds: 20))
      for number in 1...3 {
        pipe.write()
        while calls < number {
          guard outer.wait(milliseconds: 30_000) else {
            Issue.record("a wake-up was lost")
            return
          }
          host.loop.iterate()
        }
      }
      host.settle()
      #expect(!outer.wait(milliseconds: 20))
    }
  }
}

/// An epoll set: Swift's Glibc module lacks the calls.
private final class EpollSet {
  let descriptor = libc("epoll_create1", as: (@convention(c) (CInt) -> CInt).self)(0)

  deinit { close(descriptor) }

  /// For reading, level-triggered.
  func add(_ other: CInt) -> Bool {
    // struct epoll_event: the events and eight bytes of data, packed on x86 only.
    var event: (UInt32, UInt32, UInt64) = (1, 0, 0)
    let control = libc("epoll_ctl", as: (@convention(c) (CInt, CInt, CInt, UnsafeMutableRawPointer) -> CInt).self)
    return control(descriptor, 1, other, &event) == 0
  }

  func wait(milliseconds: CInt) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }
}
