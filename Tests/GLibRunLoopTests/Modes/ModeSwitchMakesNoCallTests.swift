import CFaults
import GLibRunLoop
import Testing

@Suite struct ModeSwitchMakesNoCallTests {
  @Test("M9 R6 a run in another mode and back does not change what the kernel watches", arguments: Driver.allCases)
  func noCall(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipes = [TestPipe(), TestPipe()]
      for (pipe, mode) in zip(pipes, [GRunLoop.Mode.default, .common]) {
        drive.loop.add(watch(pipe.reader, .readable) { _ in }, forMode: mode)
      }
      drive.loop.add(GRunLoop.Source { _ in }, forMode: "private")
      soon(drive.loop) {
        let run = { #expect(drive.loop.run(mode: "private", for: .zero) == .timedOut) }
        run()
        fault_set(FAULT_EPOLL_CHANGE, 0, 0, 0)
        for _ in 0..<50 { run() }
        #expect(fault_calls(FAULT_EPOLL_CHANGE) == 0)
        drive.quit()
      }
      drive.run()
    }
  }

  @Test(
    "M2 R8 what comes in the modes that were left does not keep the loop awake, and is there on the way back",
    arguments: Driver.allCases)
  func held(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipes = [TestPipe(), TestPipe()]
      var fired = 0
      for (pipe, mode) in zip(pipes, [GRunLoop.Mode.default, .common]) {
        let source = watch(pipe.reader, .readable) { _ in
          pipe.drain()
          fired += 1
          if fired == 2 { drive.quit() }
        }
        drive.loop.add(source, forMode: mode)
      }
      drive.loop.add(GRunLoop.Source { _ in }, forMode: "private")
      soon(drive.loop) {
        // The kernel watches both from here on, whichever mode the loop was in before.
        for pipe in pipes { pipe.write() }
        fault_set(FAULT_EPOLL_WAIT, 0, 0, 0)
        #expect(drive.loop.run(mode: "private", for: .milliseconds(100)) == .timedOut)
        // One that told of them, and one until the time was up; a loop that spins waits a hundred thousand times.
        #expect(fault_calls(FAULT_EPOLL_WAIT) < 10)
        #expect(fired == 0)
      }
      drive.run()
      #expect(fired == 2)
    }
  }
}

private func watch(
  _ descriptor: CInt, _ events: GRunLoop.DescriptorSource.Events, _ body: @escaping (GRunLoop.DescriptorSource) -> Void
) -> GRunLoop.DescriptorSource {
  GRunLoop.DescriptorSource(fileDescriptor: descriptor, events: events) { source, _ in body(source) }
}

/// In a call-back of the loop's first turns, in the default mode.
private func soon(_ loop: GRunLoop, _ body: @escaping () -> Void) {
  loop.add(GRunLoop.Timer(interval: .milliseconds(1)) { _ in body() }, forMode: .default)
}
