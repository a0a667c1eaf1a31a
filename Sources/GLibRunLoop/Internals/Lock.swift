import CRunLoopShims

/// A mutual-exclusion lock.
///
/// It is pthread's because the thread sanitizer sees that one whole: the slow path of `Synchronization.Mutex` lies
/// in a library that is not instrumented (Swift 6.3.1), and each contended use is reported as a race.
struct Lock: ~Copyable, @unchecked Sendable {
  /// The pointer never changes, and pthread makes the calls on it safe from every thread.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    // Sections are short: trying a moment longer beats going to sleep.
    pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  func lock() { pthread_mutex_lock(mutex) }

  @inline(__always)
  func unlock() { pthread_mutex_unlock(mutex) }

  @inline(__always)
  func withLock<Result: ~Copyable>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }
}
