import CFaults
import GLibRunLoop
import Glibc

/// A clock of this thread's that a test can turn, from any thread. The machine's own goes on.
final class TurnedClock: @unchecked Sendable {
  // The C object has a lock of its own; it is freed on the thread that uses it, after all turns.
  private let clock: OpaquePointer
  let timebase: GRunLoop.Timebase

  init(_ timebase: GRunLoop.Timebase) {
    self.timebase = timebase
    let kernels =
      switch timebase {
      case .wall: CLOCK_REALTIME
      case .continuous: CLOCK_BOOTTIME
      case .monotonic: CLOCK_MONOTONIC
      }
    clock = fault_clock_use(kernels)
  }

  deinit { fault_clock_free(clock) }

  func turn(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    fault_clock_turn(clock, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
