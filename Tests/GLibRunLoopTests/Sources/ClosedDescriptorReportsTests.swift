import GLibRunLoop
import Glibc
import Testing

@Suite struct ClosedDescriptorReportsTests {
  typealias Events = GRunLoop.DescriptorSource.Events

  @Test("S6 each source of a closed descriptor is told once", arguments: Driver.allCases)
  func severalSources(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      let number = moved(dup(pipe.reader))
      var log: [Int] = []
      for (index, mode) in [GRunLoop.Mode.default, .default, .common].enumerated() {
        let source = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { _, events in
          #expect(events == .invalid)
          log.append(index)
          if log.count == 3 { drive.quit() }
        }
        drive.loop.add(source, forMode: mode)
      }
      close(number)
      drive.run()
      drive.run(for: .milliseconds(10))
      #expect(log.sorted() == [0, 1, 2])
    }
  }

  @Test("S6 closed by another thread while the loop sleeps: reported at the next wake-up", arguments: Driver.allCases)
  func closedByAnotherThread(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      let number = moved(dup(pipe.reader))
      var log: [Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { _, events in
        log.append(events)
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      let loop = drive.loop
      let thread = TestThread {
        waitUntilAsleep(loop)
        close(number)
        loop.wakeUp()
      }
      drive.run()
      thread.join()
      #expect(log == [.invalid])
    }
  }

  @Test("S6 one of a hundred that is closed is found in some turns", arguments: Driver.allCases)
  func oneOfMany(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipes = (0..<100).map { _ in TestPipe() }
      for pipe in pipes {
        drive.loop.add(
          GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in }, forMode: .default)
      }
      let number = moved(dup(pipes[0].reader))
      var log: [Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { _, events in
        log.append(events)
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      let ticks = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in }
      drive.loop.add(ticks, forMode: .default)
      drive.loop.perform { close(number) }
      drive.run()
      #expect(log == [.invalid])
    }
  }
}
