import BenchSupport
import CGLib
import GLibRunLoop
import Glibc

/// The state of one measurement. The loop's thread counts; the main thread reads once the semaphore is raised.
final class Bench: @unchecked Sendable {
  let driver: Driver
  let clock = UnsafeMutablePointer<peer_clock>.allocate(capacity: 1)
  @exclusivity(unchecked) var count: UInt64 = 0
  @exclusivity(unchecked) var target: UInt64 = 0
  /// Of one round.
  @exclusivity(unchecked) var seen = 0
  @MainActor var visits: UInt64 = 0
  private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// Ends the run of the first thread's loop, if that is what is measured.
  private var stop = {}

  init(_ driver: Driver) {
    self.driver = driver
    clock.initialize(to: peer_clock())
    sem_init(done, 0, 0)
  }

  func begin() { peer_begin(clock) }

  /// Ends the measurement, and lets the main thread go on.
  func finish() {
    peer_end(clock)
    stop()
    sem_post(done)
  }

  func wait() { sem_wait(done) }

  /// Runs the loop of the process's first thread, which has no other, until the measurement is over.
  ///
  /// Where one loop works by itself the peers are such processes, too. The C library and the kernel do less for one that
  /// has a single thread: a system call on a descriptor costs 50 ns less, and no lock of malloc's is taken.
  func alone(_ prepare: (GRunLoop) -> Void) {
    peer_sharp_timers()
    let loop = GRunLoop.current
    // Something to wait for.
    loop.add(GRunLoop.Source { _ in }, forMode: .common)
    switch driver {
    case .swift:
      stop = { loop.stop() }
      prepare(loop)
      loop.run()
    case .glib:
      let main = g_main_loop_new(loop.context, 0)
      stop = { g_main_loop_quit(main) }
      prepare(loop)
      g_main_loop_run(main)
    }
    wait()
  }

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
