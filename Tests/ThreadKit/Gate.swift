import Glibc

/// Hands values from one thread to another, or nothing but the turn: as many waits pass as there were opens.
public final class Gate<Value>: @unchecked Sendable {
  // The value is written before the semaphore is raised and read after.
  private var semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private var value: Value?

  public init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  public func open(_ value: Value) {
    self.value = value
    sem_post(semaphore)
  }

  public func wait() -> Value {
    while sem_wait(semaphore) != 0 {}
    return value!
  }
}

extension Gate where Value == Void {
  public func open() { open(()) }
}
