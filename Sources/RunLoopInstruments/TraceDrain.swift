import CRunLoopShims
import GLibRunLoop

/// Takes records as they come: a file, another tool. One call at a time.
protocol TraceOutput: AnyObject {
  func append(_ records: [Record])
  /// There will be no more.
  func close()
  /// What went wrong since this was asked last, in words for the log.
  func takeProblem() -> String?
}

/// Has a trace's records written as they come, on a thread of its own.
final class TraceDrain: @unchecked Sendable {
  // Invariant for @unchecked: `output` and `isClosed` are used under `lock` alone; the rest does not change.

  /// Raised when there is something to write.
  private let semaphore = grl_semaphore_make()!
  private let ring: TraceRing
  private let lock = Lock()
  private let output: any TraceOutput
  private var isClosed = false

  init(of ring: TraceRing, into output: some TraceOutput) throws(GRunLoop.InstrumentFailure) {
    self.ring = ring
    self.output = output
    try ServiceThread.start("grunloop-trace", semaphore: semaphore) { [self] in
      // So long at most is lost when the process is killed; nothing left means no more wake-ups. A new request ends it:
      // then there are many.
      _ = grl_semaphore_wait(semaphore, Self.pauseLength)
      return drain()
    }
  }

  deinit { grl_semaphore_free(semaphore) }

  /// Half a second is what a killed process loses at most.
  private static let pauseLength: Int64 = 500_000_000

  func ask() { grl_semaphore_signal(semaphore) }

  /// Writes what waits. False once the output is complete.
  private func drain() -> Bool {
    let (goesOn, problem) = lock.withLock {
      if isClosed { return (false, nil) as (Bool, String?) }
      writeAll()
      return (true, output.takeProblem())
    }
    // Not under the lock: whoever reads the log may stop the trace.
    if let problem { diagnose(problem) }
    return goesOn
  }

  /// Under the lock.
  private func writeAll() {
    while true {
      let (records, lost) = ring.take(upTo: 4096)
      if lost > 0 {
        output.append([Record(kind: .lost, detail: lost, thread: grl_thread_id(), start: grl_now(CLOCK_MONOTONIC))])
      }
      if records.isEmpty { return }
      output.append(records)
    }
  }

  /// Writes what is left, and the end.
  func finish() {
    _ = drain()
    let problem = lock.withLock {
      if !isClosed { output.close() }
      isClosed = true
      return output.takeProblem()
    }
    if let problem { diagnose(problem) }
    // Its thread looks, and ends.
    ask()
  }
}
