import Glibc

/// A value behind a lock of pthread's, which the thread sanitizer understands: with `Synchronization.Mutex` it reports
/// each contended use as a race (Swift 6.3.1).
public final class Locked<Value>: @unchecked Sendable {
  // The value is touched only with the mutex held.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  public init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
