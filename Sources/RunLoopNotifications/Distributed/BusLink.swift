import CGio
import Foundation
import GLibRunLoop

/// A centre's thread: it has a loop, in which the connection to the bus lives, and on which all of a centre's state is
/// touched. No code of the user's runs there.
final class BusLink: Sendable {
  typealias Failure = GRunLoop.DistributedNotificationCenter.Failure
  typealias Observation = GRunLoop.DistributedNotificationCenter.Observation

  private let loop: GRunLoop
  private let state: BusState

  init(address: String?) {
    let started = DispatchSemaphore(value: 0)
    // Written before the semaphore is raised, read after.
    nonisolated(unsafe) var made: (GRunLoop, BusState)?
    let thread = Thread {
      let loop = GRunLoop.current
      let state = BusState(address: address, loop: loop)
      // Something to wait for.
      let anchor = GRunLoop.Source { _ in }
      loop.add(anchor, forMode: .default)
      made = (loop, state)
      started.signal()
      loop.run()
      state.close()
    }
    thread.name = "notifications"
    thread.start()
    started.wait()
    (loop, state) = made!
  }

  func shutDown() {
    let loop = loop
    loop.perform { loop.stop() }
  }

  private func onBusThread<Value: Sendable>(_ body: @escaping @Sendable (BusState) throws(Failure) -> Value)
    throws(Failure) -> Value
  {
    let state = state
    do { return try loop.performAndWait { try body(state) } } catch let failure as Failure { throw failure } catch {
      throw .unusable("\(error)")
    }
  }

  func add(_ observation: Observation) throws(Failure) {
    // Its thread need not hold anything for it.
    try onBusThread { state throws(Failure) in try state.add(observation) }
  }

  func remove(_ observation: Observation) { change { $0.remove(observation) } }

  func read<Value: Sendable>(_ path: KeyPath<BusState, Value> & Sendable, or fallback: Value) -> Value {
    (try? onBusThread { $0[keyPath: path] }) ?? fallback
  }

  func change(_ body: @escaping @Sendable (BusState) -> Void) {
    do { try onBusThread { body($0) } } catch {
      diagnose("a change of the distributed notifications was left out: \(error)")
    }
  }

  /// Returns when the bus has the message.
  func send(_ body: Variant) throws(Failure) {
    let written = Written()
    let timeout = try onBusThread { state throws(Failure) in
      try state.send(body) { written.finish($0) }
      return state.limits.busTimeout
    }
    // On the bus thread itself only a log handler can be, and nobody else would do the writing.
    if !loop.isCurrent { try written.wait(timeout) }
  }
}

/// That a message was written, for the thread that waits.
private final class Written: @unchecked Sendable {
  // Invariant for @unchecked: `problem` is written before the semaphore is raised, and read after.
  private let semaphore = DispatchSemaphore(value: 0)
  private var problem: String?

  func finish(_ problem: String?) {
    self.problem = problem
    semaphore.signal()
  }

  func wait(_ timeout: Duration) throws(BusLink.Failure) {
    if semaphore.wait(timeout: .now() + timeout.timeInterval) == .timedOut { throw .timedOut }
    if let problem { throw .noBus(problem) }
  }
}

extension Duration {
  var timeInterval: DispatchTimeInterval { .milliseconds(milliseconds) }

  /// Rounded up, and within what C takes.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let rest = Int64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    return Int(min(Int64(Int32.max), max(0, min(seconds, 2_000_000)) * 1000 + max(0, rest)))
  }
}
