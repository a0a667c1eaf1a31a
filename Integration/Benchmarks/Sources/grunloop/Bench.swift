import BenchSupport
import GLibRunLoop
import Glibc

/// The state of one measurement. The loop's thread counts; the main thread reads once the semaphore is raised.
final class Bench: @unchecked Sendable {
  let driver: Driver
  let clock = UnsafeMutablePointer<peer_clock>.allocate(capacity: 1)
  @exclusivity(unchecked) var count: UInt64 = 0
  @exclusivity(unchecked) var target: UInt64 = 0
  @MainActor var visits: UInt64 = 0
  private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ driver: Driver) {
    self.driver = driver
    clock.initialize(to: peer_clock())
    sem_init(done, 0, 0)
  }

  func begin() { peer_begin(clock) }

  /// Ends the measurement, and lets the main thread go on.
  func finish() {
    peer_end(clock)
    sem_post(done)
  }

  func wait() { sem_wait(done) }

  @inline(__always)
  func isOver(_ count: UInt64, mask: UInt64 = 63) -> Bool {
    count >= target || peer_over_budget(clock, count, mask)
  }
}

/// What a C function writes into a buffer.
func text(_ write: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 300) { buffer in
    write(buffer.baseAddress!, buffer.count)
    return String(cString: buffer.baseAddress!)
  }
}

/// Who drives the loop that is measured.
enum Driver: String {
  case swift, glib
}
