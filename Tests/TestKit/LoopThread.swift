import GLibRunLoop
import Glibc
import Testing

/// Runs a test's body on a thread of its own, which has a loop of its own, and awaits the end of both.
///
/// The threads of Swift's pool are free meanwhile: there may be two only, and tests with tasks need them. A few bodies
/// run at a time, so that each finds the machine not too busy.
@discardableResult
package func onLoopThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
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
package final class LoopWorker: Sendable {
  private let thread: TestThread
  package let loop: GRunLoop

  /// - Parameter prepare: Called on the thread before it runs its loop.
  package init(_ prepare: @escaping @Sendable (GRunLoop) -> Void = { _ in }) {
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
  package func finish() {
    let loop = loop
    loop.perform { loop.stop() }
    thread.join()
  }
}
