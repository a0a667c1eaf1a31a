import GLibRunLoop
import Glibc
import Testing

@Suite struct SharedDescriptorTests {
  typealias Events = GRunLoop.DescriptorSource.Events

  @Test("S5 several sources watch one descriptor, each for its own events", arguments: Driver.allCases)
  func eachItsOwn(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var ends: [CInt] = [0, 0]
      try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
      defer { for end in ends { close(end) } }
      var log: [String] = []
      func source(_ name: String, _ events: Events) -> GRunLoop.DescriptorSource {
        GRunLoop.DescriptorSource(fileDescriptor: ends[0], events: events) { _, events in
          log.append("\(name) \(events.rawValue)")
        }
      }
      let readers = [source("a", .readable), source("b", .readable)]
      let writer = source("w", .writable)
      for item in readers + [writer] { drive.loop.add(item, forMode: .default) }
      let last = GRunLoop.DescriptorSource(fileDescriptor: ends[0], events: .writable, order: 1) { _, _ in drive.quit()
      }
      drive.loop.add(last, forMode: .common)
      drive.run()
      #expect(log == ["w 4"])
      log = []
      _ = write(ends[1], "x", 1)
      drive.run()
      #expect(log == ["a 1", "b 1", "w 4"])
      // One that goes takes nothing from the others.
      log = []
      writer.invalidate()
      readers[0].invalidate()
      drive.run()
      #expect(log == ["b 1"])
      log = []
      readers[1].events = []
      drive.run()
      #expect(log == [])
    }
  }

  @Test("S5 sources of one descriptor in different modes", arguments: Driver.allCases)
  func differentModes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      var log: [String] = []
      for (name, mode) in [("default", GRunLoop.Mode.default), ("private", "private")] {
        let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in
          log.append(name)
          drive.quit()
        }
        drive.loop.add(source, forMode: mode)
      }
      pipe.write()
      drive.run()
      drive.loop.run(mode: "private", for: .seconds(10), returnAfterSourceHandled: true)
      drive.run()
      #expect(log == ["default", "private", "default"])
    }
  }

  @Test("S5, M3 a source that is in several modes fires once a pass", arguments: Driver.allCases)
  func onceAPass(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      var sizes: [Int] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in
        // A second call in the pass would find nothing to read, and one that blocks would hang.
        sizes.append(pipe.drain())
      }
      for mode in [GRunLoop.Mode.common, .default, "other"] { drive.loop.add(source, forMode: mode) }
      pipe.write(4)
      for _ in 0..<3 { drive.poll() }
      drive.loop.run(mode: "other", for: .zero)
      #expect(sizes == [4])
      // And leaving some of them keeps it in the rest.
      drive.loop.remove(source, forMode: .default)
      pipe.write(2)
      for _ in 0..<3 { drive.poll() }
      #expect(sizes == [4, 2])
      drive.loop.remove(source, forMode: .common)
      pipe.write(1)
      for _ in 0..<3 { drive.poll() }
      #expect(sizes == [4, 2])
      drive.loop.run(mode: "other", for: .zero)
      #expect(sizes == [4, 2, 1])
    }
  }
}
