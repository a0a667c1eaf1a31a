import CRunLoopShims
import Synchronization

/// A mutual-exclusion lock whose quick ways are a few instructions in place.
///
/// It is none of the libraries' because the thread sanitizer does not see the slow path of `Synchronization.Mutex`
/// (Swift 6.3.1: each contended use is reported as a race), and pthread's costs two calls, a tenth of a post.
package struct Lock: ~Copyable, Sendable {
  // Inlinable: the other modules' quick ways are to be in place, too.
  @inlinable static var free: UInt32 { 0 }
  @inlinable static var held: UInt32 { 1 }
  /// Held, and somebody sleeps until it is free, or is about to.
  @inlinable static var awaited: UInt32 { 2 }

  @usableFromInline let word = Atomic<UInt32>(Lock.free)

  package init() {}

  @inlinable @inline(__always)
  func lock() {
    // Acquiring: what was done under the lock before is seen.
    if !word.weakCompareExchange(expected: Self.free, desired: Self.held, ordering: .acquiring).exchanged { wait() }
  }

  @inlinable @inline(__always)
  func unlock() {
    // Releasing: what was done under the lock is seen by the next to take it.
    if word.exchange(Self.free, ordering: .releasing) == Self.awaited { wakeOne() }
  }

  @inlinable @inline(__always)
  package func withLock<Result: ~Copyable>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }

  @usableFromInline @inline(never)
  func wait() {
    // Sections are short: trying a moment longer beats going to sleep.
    for _ in 0..<100 {
      // Relaxed: only a look.
      if word.load(ordering: .relaxed) == Self.free,
        word.compareExchange(expected: Self.free, desired: Self.held, ordering: .acquiring).exchanged
      {
        return
      }
      grl_pause()
    }
    while word.exchange(Self.awaited, ordering: .acquiring) != Self.free {
      withUnsafePointer(to: word) { grl_futex_wait($0, Self.awaited) }
    }
  }

  @usableFromInline @inline(never)
  func wakeOne() { withUnsafePointer(to: word) { grl_futex_wake($0) } }
}
