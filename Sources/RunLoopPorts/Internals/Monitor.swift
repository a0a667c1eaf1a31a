import Glibc

/// A lock that threads can wait under for a change.
///
/// It is pthread's because the thread sanitizer understands that one. Waiting is by the monotonic clock.
final class Monitor: @unchecked Sendable {
  // Invariant for @unchecked: both live at fixed addresses from init to deinit, and are made to be shared.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    var mutexAttributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&mutexAttributes)
    // Sections are short: trying a moment longer beats going to sleep.
    pthread_mutexattr_settype(&mutexAttributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
    pthread_mutex_init(mutex, &mutexAttributes)
    pthread_mutexattr_destroy(&mutexAttributes)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  @inline(__always) func lock() { pthread_mutex_lock(mutex) }
  @inline(__always) func unlock() { pthread_mutex_unlock(mutex) }

  @inline(__always)
  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Lets go of the lock until somebody broadcasts, and has it again on return. It may return for no reason.
  ///
  /// - Returns: False if the monotonic clock has come to `limit`, in nanoseconds.
  func wait(until limit: Int64) -> Bool {
    if limit == .max { return pthread_cond_wait(condition, mutex) == 0 }
    if limit <= 0 { return false }
    var time = timespec(tv_sec: Int(limit / 1_000_000_000), tv_nsec: Int(limit % 1_000_000_000))
    return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
  }

  func broadcast() { pthread_cond_broadcast(condition) }
}
