import GLibRunLoop
import Glibc
import Testing

/// Calls `body`, whose runs of this thread's loop are to end by themselves. If they do not in all this time, stops them
/// and records an issue, so that a broken loop fails its test instead of hanging it.
package func stopIfHung(
  limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) rethrows {
  let loop = GRunLoop.current
  let isDone = Locked(false)
  let watchdog = TestThread {
    let end = GRunLoop.Instant.now + limit
    while !isDone.withLock({ $0 }) {
      if GRunLoop.Instant.now > end { loop.stop() }
      usleep(1000)
    }
  }
  let start = GRunLoop.Instant.now
  defer {
    isDone.withLock { $0 = true }
    watchdog.join()
    if GRunLoop.Instant.now - start > limit {
      Issue.record("a run did not end by itself", sourceLocation: sourceLocation)
    }
  }
  try body()
}
