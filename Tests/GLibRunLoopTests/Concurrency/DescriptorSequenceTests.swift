import GLibRunLoop
import Glibc
import Testing

@Suite(.patient) struct DescriptorSequenceTests {
  typealias Events = GRunLoop.DescriptorSource.Events

  @Test("C6, S5 what a descriptor is ready for is an asynchronous sequence", arguments: Driver.allCases)
  func events(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let pipe = TestPipe()
      let writer = Task.detached {
        for _ in 0..<20 {
          pipe.write(3)
          await Task.yield()
        }
        pipe.closeWriter()
      }
      var bytes = 0
      for await events in loop.events(.readable, of: pipe.reader) {
        #expect(!events.isDisjoint(with: [.readable, .hungUp]))
        let count = pipe.drain()
        bytes += count
        if count == 0 && events.contains(.hungUp) { break }
      }
      await writer.value
      #expect(bytes == 60)
    }
  }

  @Test(
    "C6, S5 level-triggered: what was not read comes at once, each time it is asked for", arguments: Driver.allCases)
  func level(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let pipe = TestPipe()
      pipe.write(5)
      var seen: [Events] = []
      for await events in loop.events(.readable, of: pipe.reader) {
        seen.append(events)
        if seen.count == 5 { break }
      }
      #expect(seen == Array(repeating: .readable, count: 5))
    }
  }

  @Test(
    "C6, R8 a ready descriptor that nobody asks for keeps the loop from nothing: it sleeps", arguments: Driver.allCases)
  func noSpin(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let pipe = TestPipe()
      pipe.write()
      var events = loop.events(.readable, of: pipe.reader).makeAsyncIterator()
      #expect(await events.next() == .readable)
      let passes = Log(of: Int.self)
      let observer = GRunLoop.Observer(activities: .beforeTimers, sendableHandler: { _, _ in passes.append(1) })
      loop.add(observer, forMode: .common)
      try await loop.clock().sleep(for: .milliseconds(50))
      #expect(passes.count < 10, "the descriptor is ready all the time")
      observer.invalidate()
      #expect(await events.next() == .readable)
    }
  }

  @Test("C6, S6 a descriptor that was closed is reported once, and the sequence ends", arguments: Driver.allCases)
  func closed(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let pipe = TestPipe()
      pipe.write()
      let number = moved(dup(pipe.reader))
      var events = loop.events(.readable, of: number).makeAsyncIterator()
      #expect(await events.next() == .readable)
      close(number)
      #expect(await events.next() == .invalid)
      #expect(await events.next() == nil)
      #expect(await events.next() == nil)
    }
  }

  @Test("C6, S6 a descriptor that is not open is reported as such, and that is all")
  func neverOpen() async throws {
    try await withDrivenLoop(.swift) { loop in
      var seen: [Events] = []
      for await events in loop.events(.readable, of: privateNumber()) { seen.append(events) }
      #expect(seen == [.invalid])
    }
  }
}
