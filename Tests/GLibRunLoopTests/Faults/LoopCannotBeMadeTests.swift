import CFaults
import GLibRunLoop
import Glibc
import Testing

/// As GLib does for a main context: nothing can be returned where every thread has a loop (L1).
@Suite struct LoopCannotBeMadeTests {
  @Test("L1 with no descriptor for the loop's set the process ends, and says why and what to do")
  func set() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      fault_set(FAULT_EPOLL_CREATE, EMFILE, 0, 1)
      _ = GRunLoop.current
    }
    expectMessage("a run loop cannot be made: epoll_create1 failed: Too many open files; close descriptors", in: result)
  }

  @Test("L1 with no descriptor for the wake-up, likewise")
  func wakeUp() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      fault_set(FAULT_EVENTFD, ENFILE, 0, 1)
      _ = GRunLoop.current
    }
    expectMessage("a run loop cannot be made: eventfd failed: Too many open files in system; raise", in: result)
  }

  @Test("L1, R7 when the wake-up cannot be watched, likewise: no loop that sleeps for ever")
  func watch() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      fault_set(FAULT_EPOLL_ADD, ENOSPC, 0, 1)
      _ = GRunLoop.current
    }
    expectMessage("a run loop cannot be made: epoll_ctl failed: No space left on device; raise", in: result)
  }

  @Test("C1 when the main queue cannot be watched, likewise: no main loop that does not serve it")
  func mainQueue() async throws {
    let result = try await scenarioResult(["MainQueueCannotBeWatched"])
    #expect(result.exitCode != 0 && result.signal != SIGALRM)
    #expect(result.errors.contains("a run loop cannot be made: epoll_ctl failed: Cannot allocate memory"))
  }
}
