import GLibRunLoop
import Glibc
import RunLoopInstruments

extension GRunLoop {
  /// Looks at this loop while `body` runs, and returns what was reported. Reports come from another thread: the last one
  /// is awaited if `count` are expected.
  func stalls(
    limit: Duration = .milliseconds(50), takesStacks: Bool = false, count: Int = 0, _ body: () throws -> Void
  ) throws -> [Stall] {
    let log = Log(of: Stall.self)
    let detector = try StallDetector.start(
      on: self, limit: limit, takesStacks: takesStacks, report: .call { log.append($0) })
    defer { detector.stop() }
    try body()
    eventually { log.count >= count }
    return log.entries
  }
}

/// Sleeps so long at least, whatever signals come.
func usleepUninterrupted(_ duration: Duration) {
  let end = GRunLoop.Instant.now + duration
  while .now < end { usleep(1000) }
}
