import CGLib
import GLibRunLoop
import Testing

@Suite struct HostObserversTests {
  @Test("R11, O5 the documented order, with waiting ones in strict pairs around the host's polls")
  func order() async throws {
    try await withPollingHost { host in
      let log = Log(of: String.self)
      let source = GRunLoop.Source { _ in log.append("source") }
      host.loop.add(source, forMode: .default)
      log.watch()
      host.loop.iterate()
      host.settle()
      #expect(log.entries == ["beforeWaiting"])
      source.signal()
      host.settle()
      let pass = ["afterWaiting", "beforeTimers", "beforeSources", "source"]
      #expect(Array(log.entries.dropFirst().prefix(4)) == pass)
      #expect(log.entries.last == "beforeWaiting")
      try inTime(from: .milliseconds(5)) { time in
        let timer = GRunLoop.Timer(interval: time) { _ in log.append("timer") }
        host.loop.add(timer, forMode: .default)
        host.settle()
        // Else it did not end a sleep.
        let isInTime = log.entries.last == "beforeWaiting" && timer.isValid
        let before = log.count
        if isInTime { host.run { !timer.isValid } }
        host.settle()
        guard isInTime else { return false }
        let fired = try #require(log.entries.dropFirst(before).firstIndex(of: "timer"))
        #expect(log.entries[fired - 1] == "afterWaiting")
        return true
      }
      let waiting = log.entries.filter { $0.hasSuffix("Waiting") }
      #expect(waiting.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "beforeWaiting" : "afterWaiting") }, "\(waiting)")
    }
  }

  @Test("R11, O5 a turn that finds nothing calls none, and neither does a host that only looks")
  func inVain() async throws {
    try await withPollingHost { host in
      let log = Log(of: String.self)
      log.watch()
      host.loop.iterate()
      host.settle()
      let before = log.entries
      for _ in 0..<10 {
        host.loop.iterate()
        while g_main_context_pending(host.loop.context) != 0 { g_main_context_iteration(host.loop.context, 0) }
      }
      host.settle()
      #expect(log.entries == before)
    }
  }

  @Test("R11, O5 GLib's sources too are called after the after-waiting observers")
  func foreign() async throws {
    try await withPollingHost { host in
      let log = Log(of: String.self)
      log.watch([.beforeWaiting, .afterWaiting])
      host.loop.iterate()
      Foreign.idle(priority: -200) {
        log.append("foreign")
        return false
      }.attach(to: host.loop.context)
      host.loop.iterate()
      host.settle()
      #expect(log.entries == ["beforeWaiting", "afterWaiting", "foreign", "beforeWaiting"])
    }
  }

  @Test("R11, O6 what a before-waiting observer makes ready is handled without waiting", arguments: Work.allCases)
  func madeReady(_ work: Work) async throws {
    try await withPollingHost { host in
      let log = Log(of: String.self)
      let observer = GRunLoop.Observer(activities: .beforeWaiting, repeats: false) { _, _ in
        work.makeReady { log.append("\(work)") }
      }
      host.loop.add(observer, forMode: .default)
      host.loop.iterate()
      host.settle()
      #expect(log.entries == ["\(work)"])
    }
  }

  @Test("R11, O3 a before-waiting observer that iterates is not called again, and the pairs hold")
  func iterates() async throws {
    try await withPollingHost { host in
      let log = Log(of: String.self)
      let loop = host.loop
      loop.add(
        GRunLoop.Observer(activities: .beforeWaiting) { _, _ in
          log.append("(")
          loop.perform { log.append("perform") }
          loop.iterate()
          log.append(")")
        }, forMode: .default)
      log.watch([.beforeWaiting, .afterWaiting])
      let iterations = 3
      for _ in 0..<iterations {
        loop.iterate()
        loop.wakeUp()
      }
      let waiting = log.entries.filter { $0.hasSuffix("Waiting") }
      #expect(waiting.count >= iterations)
      #expect(waiting.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "beforeWaiting" : "afterWaiting") }, "\(waiting)")
      #expect(log.entries.filter { $0 == "perform" }.count == log.entries.filter { $0 == "(" }.count)
      #expect(!zip(log.entries, log.entries.dropFirst()).contains { $0 == "(" && $1 == "(" })
    }
  }

  @Test("R11, R9 the loop is waiting while its host polls, and not in its call-backs")
  func isWaiting() async throws {
    try await withPollingHost { host in
      let loop = host.loop
      let seen = Log(of: Bool.self)
      loop.add(GRunLoop.Observer(activities: .all) { _, _ in seen.append(loop.isWaiting) }, forMode: .default)
      loop.iterate()
      loop.perform { seen.append(loop.isWaiting) }
      host.settle()
      #expect(seen.count >= 4)
      #expect(!seen.entries.contains(true))
      #expect(loop.isWaiting)
      #expect(loop.currentMode == nil)
    }
  }
}
