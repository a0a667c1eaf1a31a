import Glibc
import Synchronization

/// A second thread, which does what it is told, one thing after the other.
final class Worker: Sendable {
  private let work = Mutex<[@Sendable () -> Void]>([])
  private let begin = Semaphore()
  private let end = Semaphore()

  init() {
    var thread = pthread_t()
    let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { worker in
      Unmanaged<Worker>.fromOpaque(worker!).takeUnretainedValue().serve()
    }
    let failed = pthread_create(&thread, nil, body, Unmanaged.passRetained(self).toOpaque())
    precondition(failed == 0, "no second thread: \(failed)")
    pthread_detach(thread)
  }

  /// Has the thread do something, later.
  func start(_ body: @escaping @Sendable () -> Void) {
    work.withLock { $0.append(body) }
    begin.signal()
  }

  /// Has the thread do something, and waits for it, so that what it gives to the loop is there by then.
  func finish(_ body: @escaping @Sendable () -> Void) {
    start { [end] in
      body()
      end.signal()
    }
    end.wait()
  }

  private func serve() -> Never {
    while true {
      begin.wait()
      work.withLock { $0.removeFirst() }()
    }
  }
}

/// `sem_t`, which must not move.
private final class Semaphore: @unchecked Sendable {
  // POSIX semaphores are for all threads; the pointer never changes.
  private let pointer = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(pointer, 0, 0) }

  deinit {
    sem_destroy(pointer)
    pointer.deallocate()
  }

  func signal() { sem_post(pointer) }
  func wait() { while sem_wait(pointer) != 0 {} }
}
