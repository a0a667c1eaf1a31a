import CGLib
import GLibRunLoop
import Testing

/// A host that never sleeps: it asks whether something is pending, as games and tests do.
@Suite struct PollingHostTests {
  @Test("O5 the host's loop over what is pending ends, and calls none of the waiting ones")
  func pendingEnds() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch(.all)
      let fired = Log(of: Int.self)
      loop.add(GRunLoop.Timer(interval: .seconds(100)) { _ in }, forMode: .default)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      for frame in 0..<100 {
        loop.perform { fired.append(frame) }
        var turns = 0
        while g_main_context_pending(loop.context) != 0 {
          g_main_context_iteration(loop.context, 0)
          turns += 1
          guard turns < 1000 else {
            Issue.record("it is pending for ever")
            return
          }
        }
        #expect(fired.count == frame + 1, "nothing is left for a later frame")
      }
      #expect(fired.entries == Array(0..<100))
      #expect(Set(log.entries) == ["beforeTimers", "beforeSources"])
    }
  }

  @Test("O5 a pair that was begun by a sleeping turn stays strict when the host polls afterwards")
  func pollsBetweenSleeps() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch([.beforeWaiting, .afterWaiting])
      var fires = 0
      let timer = GRunLoop.Timer(interval: .milliseconds(5), repeats: true) { _ in fires += 1 }
      loop.add(timer, forMode: .default)
      while fires < 10 {
        g_main_context_iteration(loop.context, 1)
        var turns = 0
        while g_main_context_pending(loop.context) != 0, turns < 1000 {
          g_main_context_iteration(loop.context, 0)
          turns += 1
        }
        #expect(turns < 1000)
      }
      let expected = (0..<log.count).map { $0.isMultiple(of: 2) ? "beforeWaiting" : "afterWaiting" }
      #expect(log.entries == expected)
    }
  }
}
