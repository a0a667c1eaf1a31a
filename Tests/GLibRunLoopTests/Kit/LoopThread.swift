import GLibRunLoop
import Glibc
import Testing

/// Runs a test's body on a thread of its own, which has a loop of its own, and awaits the end of both.
///
/// The threads of Swift's pool are free meanwhile: there may be two only, and tests with tasks need them. A few bodies
/// run at a time, so that each finds the machine not too busy.
@discardableResult
func onLoopThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  await Turnstile.shared.enter()
  let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
  let thread = TestThread { continuation.yield(Result { try body() }) }
  var result: Result<Value, any Error>?
  for await value in results {
    // What is left of the thread is its end.
    thread.join()
    result = value
    break
  }
  await Turnstile.shared.leave()
  return try result!.get()
}

private actor Turnstile {
  static let shared = Turnstile()

  private var places = 2
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    if places > 0 {
      places -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
  }
}

/// A thread of the test's that runs its loop until it is told to finish.
final class LoopWorker: Sendable {
  private let thread: TestThread
  let loop: GRunLoop

  /// - Parameter prepare: Called on the thread before it runs its loop.
  init(_ prepare: @escaping @Sendable (GRunLoop) -> Void = { _ in }) {
    let ready = Gate<GRunLoop>()
    thread = TestThread {
      let loop = GRunLoop.current
      prepare(loop)
      // Something to wait for, so that the loop stays.
      let anchor = GRunLoop.Source { _ in }
      loop.add(anchor, forMode: .common)
      ready.open(loop)
      loop.run()
    }
    loop = ready.wait()
  }

  /// Ends the run and the thread.
  func finish() {
    let loop = loop
    loop.perform { loop.stop() }
    thread.join()
  }
}

/// Hands one value from one thread to another.
final class Gate<Value>: @unchecked Sendable {
  // The value is written before the semaphore is raised and read after.
  private var semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private var value: Value?

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func open(_ value: Value) {
    self.value = value
    sem_post(semaphore)
  }

  func wait() -> Value {
    while sem_wait(semaphore) != 0 {}
    return value!
  }
}

extension Gate where Value == Void {
  func open() { open(()) }
}

/// A plain thread that can be joined, so that what happens at its end has happened.
final class TestThread: Sendable {
  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    // Sanitizers make frames large.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, &attributes,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(run: body)).toOpaque())
    precondition(failed == 0, "pthread_create failed: \(failed)")
    pthread_attr_destroy(&attributes)
    self.thread = thread
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  func join() { pthread_join(thread, nil) }
}
