import GLibRunLoop
import Glibc
import Testing

@Suite struct PerformTargetDeinitTests {
  /// Uses the loop while it is freed.
  private final class Target: Sendable {
    let loop: GRunLoop
    let log: Log<String>

    init(_ loop: GRunLoop, _ log: Log<String>) {
      self.loop = loop
      self.log = log
    }

    deinit {
      log.append("freed")
      loop.perform { [log] in log.append("performed") }
      loop.cancelPerforms(target: loop)
      _ = loop.isWaiting
      log.append("done")
    }
  }

  enum End: CaseIterable, Sendable { case run, cancelledByToken, cancelledByTarget, loopEnds }

  @Test("P6 a target may use the loop while it is freed", arguments: [false, true], End.allCases)
  func usesLoop(delayed: Bool, end: End) {
    let log = Log(of: String.self)
    let thread = TestThread {
      let loop = GRunLoop.current
      let delay: Duration? = delayed ? .zero : nil
      func queue() -> GRunLoop.Perform {
        let target = Target(loop, log)
        let token = loop.perform(after: delay, target: target) {}
        if end == .cancelledByTarget { loop.cancelPerforms(target: target) }
        return token
      }
      let token = queue()
      switch end {
      case .run: loop.run(until: .distantPast)
      case .cancelledByToken: token.cancel()
      case .cancelledByTarget, .loopEnds: break
      }
    }
    var rounds = 0
    while !log.entries.contains("done"), rounds < 3000 {
      usleep(10_000)
      rounds += 1
    }
    #expect(log.entries.prefix(2) == ["freed", "done"])
    // With a lock held it would never end.
    if log.entries.contains("done") { thread.join() }
  }
}
