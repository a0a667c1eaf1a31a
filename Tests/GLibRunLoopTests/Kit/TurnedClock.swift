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
    clock = fault_clock_use(timebase == .wall ? CLOCK_REALTIME : CLOCK_BOOTTIME)
  }

  deinit { fault_clock_free(clock) }

  func turn(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    fault_clock_turn(clock, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
