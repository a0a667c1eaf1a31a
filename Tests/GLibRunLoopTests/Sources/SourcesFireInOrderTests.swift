import GLibRunLoop
import Testing

@Suite struct SourcesFireInOrderTests {
  @Test("S3 ready sources fire by ascending order, then in the order signalled", arguments: Driver.allCases)
  func signalledSources(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      func source(_ name: String, order: Int) -> GRunLoop.Source {
        GRunLoop.Source(order: order) { _ in log.append(name) }
      }
      let (a, b, c) = (source("a", order: 5), source("b", order: 0), source("c", order: 0))
      let (d, e) = (source("d", order: -3), source("e", order: 0))
      for item in [a, c, d] { drive.loop.add(item, forMode: .default) }
      for item in [b, e] { drive.loop.add(item, forMode: .common) }
      let last = GRunLoop.Source(order: .max) { _ in drive.quit() }
      drive.loop.add(last, forMode: .common)
      for _ in 0..<2 {
        log = []
        // The second signal of `e` coalesces with the first, and does not send it to the end.
        for item in [last, a, e, c, e, d, b] { item.signal() }
        drive.run()
        #expect(log == ["d", "e", "c", "b", "a"])
      }
    }
  }

  @Test("S3 a source that an earlier one of the pass invalidates or removes does not fire", arguments: Driver.allCases)
  func takenOutByAnEarlierOne(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      let invalidated = GRunLoop.Source(order: 2) { _ in log.append("invalidated") }
      let removed = GRunLoop.Source(order: 2) { _ in log.append("removed") }
      let first = GRunLoop.Source(order: 1) { _ in
        log.append("first")
        invalidated.invalidate()
        drive.loop.remove(removed, forMode: .default)
      }
      let last = GRunLoop.Source(order: 3) { _ in
        log.append("last")
        drive.quit()
      }
      for source in [last, invalidated, removed, first] {
        drive.loop.add(source, forMode: .default)
        source.signal()
      }
      drive.run()
      #expect(log == ["first", "last"])
      // The removed one is not done with: its signal is kept.
      drive.loop.add(removed, forMode: .default)
      for _ in 0..<2 { drive.poll() }
      #expect(log == ["first", "last", "removed"])
    }
  }

  @Test("S3 descriptors that are ready in one pass fire by ascending order", arguments: Driver.allCases)
  func descriptors(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [Int] = []
      let pipes = (0..<6).map { _ in TestPipe() }
      for (pipe, order) in zip(pipes, [4, 1, 5, 0, 3, 2]) {
        let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable, order: order) { _, _ in
          pipe.drain()
          log.append(order)
          if order == 5 { drive.quit() }
        }
        drive.loop.add(source, forMode: order % 2 == 0 ? .default : .common)
      }
      for pipe in pipes { pipe.write() }
      drive.run()
      #expect(log == [0, 1, 2, 3, 4, 5])
    }
  }
}
