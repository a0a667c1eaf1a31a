import Glibc

/// The number of the process's first thread; main.swift asks for it first.
let firstThread = pthread_self()

var isFirstThread: Bool { pthread_equal(pthread_self(), firstThread) != 0 }

/// A thread that can be joined.
final class OtherThread: Sendable {
  let id: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    var id = pthread_t()
    let failed = pthread_create(
      &id, nil,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(run: body)).toOpaque())
    precondition(failed == 0, "pthread_create failed: \(failed)")
    self.id = id
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  func join() { pthread_join(id, nil) }
}

/// A turnstile between threads: as many waits pass as there were opens.
final class Gate: @unchecked Sendable {
  // The semaphore is made for use from all threads.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func open() { sem_post(semaphore) }
  func wait() { while sem_wait(semaphore) != 0 {} }
}
