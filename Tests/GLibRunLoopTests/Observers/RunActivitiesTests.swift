import GLibRunLoop
import Testing

/// When Swift drives: the activities of whole runs.
@Suite struct RunActivitiesTests {
  private static let start = ["entry", "beforeTimers", "beforeSources"]
  private static let sleep = ["beforeWaiting", "afterWaiting"]

  @Test("O4 entry, the pass, the waiting ones around the sleep; exit last, after a stop")
  func stopped() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch()
      loop.addTimerThatEndsSleeps { _ in
        log.append("timer")
        loop.stop()
      }
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped)
      #expect(log.entries == Self.start + Self.sleep + ["timer", "exit"])
    }
  }

  @Test("O4 exit last, after the time is up")
  func timedOut() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch()
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      inTime(from: .milliseconds(30)) { time in
        let before = log.count
        #expect(loop.run(mode: .default, for: time) == .timedOut)
        let entries = Array(log.entries.dropFirst(before))
        // On a slow machine the time is up before the loop could sleep.
        if entries == Self.start + ["exit"] { return false }
        #expect(entries == Self.start + Self.sleep + ["exit"])
        return true
      }
    }
  }

  @Test("O4 each pass of a run has its activities, the run itself one entry and one exit")
  func passes() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch()
      var fires = 0
      loop.addTimerThatEndsSleeps { timer in
        log.append("timer")
        fires += 1
        if fires == 3 { timer.invalidate() }
      }
      #expect(loop.run(mode: .default, for: .seconds(30)) == .finished)
      let pass = ["beforeTimers", "beforeSources"] + Self.sleep + ["timer"]
      #expect(log.entries == ["entry"] + pass + pass + pass + ["exit"])
    }
  }

  @Test("O4 a poll calls neither of the waiting ones")
  func poll() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch()
      loop.add(GRunLoop.Timer(interval: .seconds(100)) { _ in }, forMode: .default)
      loop.run(mode: .default, for: .zero)
      loop.run(mode: .default, for: .seconds(-1))
      loop.run(until: .distantPast)
      loop.run(mode: .default, before: .distantPast)
      let one = Self.start + ["exit"]
      #expect(log.entries == one + one + one + one)
    }
  }

  @Test("O4 a pass that finds work does not sleep and calls neither of the waiting ones", arguments: Work.allCases)
  func workFound(_ work: Work) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch()
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      work.makeReady {
        log.append("work")
        loop.stop()
      }
      #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped)
      #expect(log.entries == Self.start + ["work", "exit"])
    }
  }

  @Test("O4 a nested run has an entry and an exit of its own, of its mode's observers")
  func nested() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch([.entry, .exit])
      let inner = GRunLoop.Observer(activities: [.entry, .exit]) { _, activity in log.append("inner \(activity.name)") }
      loop.add(inner, forMode: "inner")
      loop.add(GRunLoop.Source { _ in }, forMode: "inner")
      loop.perform { loop.run(mode: "inner", for: .zero) }
      loop.run(mode: .default, for: .zero)
      #expect(log.entries == ["entry", "inner entry", "inner exit", "exit"])
    }
  }
}
