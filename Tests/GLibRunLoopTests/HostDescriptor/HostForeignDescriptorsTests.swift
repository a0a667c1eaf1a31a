import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct HostForeignDescriptorsTests {
  @Test(
    "R11 a descriptor of GLib's is heard as long as it is readable, and not when nobody watches it",
    arguments: DescriptorKind.allCases)
  func levelTriggered(_ kind: DescriptorKind) async throws {
    try await withPollingHost { host in
      let readable = Readable(kind)
      var calls = 0
      let source = Foreign.readable(readable.descriptor) {
        calls += 1
        if calls == 3 { drain(readable.descriptor) }
        return true
      }
      source.attach(to: host.loop.context)
      host.loop.iterate()
      host.settle()
      #expect(calls == 0)
      readable.makeReadable()
      host.run { calls == 3 }
      host.settle()
      #expect(calls == 3)
      readable.makeReadable()
      g_source_destroy(source)
      host.loop.iterate()
      #expect(!host.isReadable)
    }
  }

  @Test(
    "R11 a number that was closed and given to another file is watched as what it is now", arguments: [false, true])
  func givenAway(_ lives: Bool) async throws {
    try await withPollingHost { host in
      let (first, second) = (TestPipe(), TestPipe())
      let number = privateNumber()
      dup2(first.reader, number)
      // The old file may live on under another number, which an epoll set would go on hearing.
      if !lives { first.closeReader() }
      var calls = 0
      let source = Foreign.readable(number) {
        calls += 1
        drain(number)
        return true
      }
      source.attach(to: host.loop.context)
      host.loop.iterate()
      host.settle()
      dup2(second.reader, number)
      host.loop.iterate()
      host.settle()
      if lives { first.write() }
      #expect(!host.poll(milliseconds: 20), "the old file is not heard any more")
      second.write()
      host.run { calls == 1 }
      host.settle()
      g_source_destroy(source)
      close(number)
    }
  }

  @Test("R11, S6 a closed number that is watched still is told of once, and does not spin", arguments: [false, true])
  func closed(_ lives: Bool) async throws {
    try await withPollingHost { host in
      let pipe = TestPipe()
      let number = privateNumber()
      dup2(pipe.reader, number)
      if !lives { pipe.closeReader() }
      var calls = 0
      let source = Foreign.readable(number) {
        calls += 1
        return true
      }
      source.attach(to: host.loop.context)
      host.loop.iterate()
      host.settle()
      close(number)
      host.loop.iterate()
      host.settle()
      #expect(calls > 0, "told that it is invalid")
      if lives { pipe.write() }
      #expect(!host.poll(milliseconds: 20))
      // Given to a file again, it is watched again.
      let other = TestPipe()
      dup2(other.reader, number)
      host.loop.iterate()
      host.settle()
      let before = calls
      other.write()
      host.run { calls > before }
      g_source_destroy(source)
      close(number)
      host.loop.iterate()
      host.settle()
    }
  }

  @Test("R11, S5 a regular file is always ready, as poll(2) says")
  func file() async throws {
    try await withPollingHost { host in
      let file = temporaryFile()
      var calls = 0
      Foreign.readable(file) {
        calls += 1
        return calls < 10
      }.attach(to: host.loop.context)
      host.loop.iterate()
      host.run { calls == 10 }
      host.settle()
      #expect(calls == 10)
      close(file)
    }
  }

  @Test("R11 hundreds of GLib's descriptors are each heard")
  func many() async throws {
    try await withPollingHost { host in
      let pipes = (0..<200).map { _ in TestPipe() }
      var heard: [Int] = []
      for (number, pipe) in pipes.enumerated() {
        Foreign.readable(pipe.reader) {
          heard.append(number)
          return false
        }.attach(to: host.loop.context)
      }
      host.loop.iterate()
      host.settle()
      for number in stride(from: 199, through: 0, by: -1) {
        pipes[number].write()
        host.run { heard.count == 200 - number }
        #expect(heard.last == number)
      }
      host.settle()
    }
  }
}
