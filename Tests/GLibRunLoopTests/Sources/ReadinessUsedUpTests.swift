import GLibRunLoop
import Testing

@Suite struct ReadinessUsedUpTests {
  typealias Source = GRunLoop.DescriptorSource

  @Test(
    "S9 a source that an earlier call of the pass paused, or made wait for something else, is not called",
    arguments: Driver.allCases, [.default, .idle] as [GRunLoop.Priority])
  func pausedByEarlierCall(_ driver: Driver, priority: GRunLoop.Priority) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipes = (0..<3).map { _ in TestPipe() }
      var (paused, writes): (Source?, Source?)
      var calls: [String] = []
      let first = Source(fileDescriptor: pipes[0].reader, events: .readable, order: 0, priority: priority) {
        source, _ in
        calls.append("first")
        source.invalidate()
        paused?.events = []
        writes?.events = .urgent
      }
      paused = Source(fileDescriptor: pipes[1].reader, events: .readable, order: 1, priority: priority) { _, _ in
        calls.append("paused")
      }
      writes = Source(fileDescriptor: pipes[2].writer, events: .writable, order: 2, priority: priority) { _, events in
        calls.append("writes")
      }
      for pipe in pipes { pipe.write() }
      for source in [first, paused!, writes!] { drive.loop.add(source, forMode: .default) }
      drive.run(for: .milliseconds(20))
      #expect(calls == ["first"])
      paused?.invalidate()
      writes?.invalidate()
    }
  }

  @Test(
    "S9 after a nested run nothing is called for a readiness that it has used up",
    arguments: Driver.allCases, [.default, .idle] as [GRunLoop.Priority])
  func usedUpByNestedRun(_ driver: Driver, priority: GRunLoop.Priority) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipes = (0..<3).map { _ in TestPipe() }
      var calls: [String] = []
      // The nested run serves the second one. Nobody serves the third, which is still ready after it.
      let first = Source(fileDescriptor: pipes[0].reader, events: .readable, order: 0, priority: priority) {
        source, _ in
        source.invalidate()
        calls.append("first")
        drive.loop.run(mode: "nested", for: .zero)
        calls.append("after the nested run")
      }
      let second = Source(fileDescriptor: pipes[1].reader, events: .readable, order: 1, priority: priority) { _, _ in
        calls.append("second")
        #expect(pipes[1].drain() == 1)
      }
      let third = Source(fileDescriptor: pipes[2].reader, events: .readable, order: 2, priority: priority) {
        source, _ in
        calls.append("third")
        source.invalidate()
        drive.quit()
      }
      for pipe in pipes { pipe.write() }
      for source in [first, second, third] { drive.loop.add(source, forMode: .default) }
      drive.loop.add(second, forMode: "nested")
      drive.run()
      let expected = ["first", "second", "after the nested run", "third"]
      // At another priority the nested run may have found that GLib had not come to it.
      #expect(calls == expected || calls == ["first", "after the nested run", "second", "third"])
      second.invalidate()
    }
  }
}
