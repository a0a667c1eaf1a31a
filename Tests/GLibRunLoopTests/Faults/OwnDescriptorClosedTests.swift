import CFaults
import GLibRunLoop
import Glibc
import Testing

/// Other code that closes a descriptor of the loop's is told so; going on would hang, spin, or touch another's file.
@Suite struct OwnDescriptorClosedTests {
  private static let message = "other code has closed a descriptor of a run loop: look for a close"

  @Test("R7, R8 a wait set that cannot be asked ends the process")
  func ask() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = GRunLoop.current
      let pipe = TestPipe()
      pipe.write()
      loop.add(
        GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in }, forMode: .default)
      fault_set(FAULT_EPOLL_POLL, EBADF, 0, 1)
      loop.run(mode: .default, for: .zero)
    }
    expectMessage("epoll_wait failed: Bad file descriptor; \(Self.message)", in: result)
  }

  @Test("R7 a wake-up that cannot be written ends the process")
  func wake() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let worker = LoopWorker()
      waitUntilAsleep(worker.loop)
      fault_set(FAULT_WRITE, EBADF, 0, 1)
      worker.loop.perform {}
      worker.finish()
    }
    expectMessage("write to an eventfd failed: Bad file descriptor; \(Self.message)", in: result)
  }

  @Test("T9 an alarm that cannot be set ends the process")
  func alarm() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Timer(fireDate: .now(on: .wall) + .seconds(60)) { _ in }, forMode: .default)
      fault_set(FAULT_TIMERFD_SET, EBADF, 0, 1)
      loop.run(mode: .default, for: .seconds(30))
    }
    expectMessage("timerfd_settime failed: Bad file descriptor; \(Self.message)", in: result)
  }

  @Test("M2 a mode whose descriptors cannot be switched ends the process")
  func modeSwitch() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = GRunLoop.current
      loop.add(GRunLoop.DescriptorSource(fileDescriptor: 0, events: .readable) { _, _ in }, forMode: "a")
      fault_set(FAULT_EPOLL_CHANGE, EBADF, 0, 1)
      loop.run(mode: "a", for: .zero)
    }
    expectMessage("epoll_ctl failed: Bad file descriptor; \(Self.message)", in: result)
  }
}
