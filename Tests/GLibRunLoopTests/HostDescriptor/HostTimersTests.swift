import CGLib
import GLibRunLoop
import Testing

@Suite struct HostTimersTests {
  @Test("R11, T4 timers fire by date through the descriptor, none early, and each date is one turn")
  func byDate() async throws {
    try await withPollingHost { host in
      let log = Log(of: Int.self)
      let start = GRunLoop.Instant.now
      for number in [3, 1, 2] {
        let date = start + .milliseconds(20 * number)
        host.loop.add(
          GRunLoop.Timer(fireDate: date) { _ in
            #expect(GRunLoop.Instant.now >= date)
            log.append(number)
          }, forMode: .default)
      }
      host.settle()
      let before = host.turns
      host.run { log.count == 3 }
      #expect(log.entries == [1, 2, 3])
      #expect(host.turns - before <= 3)
      host.settle()
    }
  }

  @Test(
    "R11, T2 a timer that is moved between two turns, forward or back, makes the descriptor readable at its new date")
  func moved() async throws {
    try await withPollingHost { host in
      inTime { time in
        let log = Log(of: String.self)
        let sooner = GRunLoop.Timer(interval: .seconds(3600)) { _ in log.append("sooner") }
        let later = GRunLoop.Timer(interval: time) { _ in log.append("later") }
        host.loop.add(sooner, forMode: .default)
        host.loop.add(later, forMode: .common)
        host.settle()
        later.fireDate = .now + .seconds(3600)
        sooner.fireDate = .now + time * 2
        let isInTime = log.count == 0
        host.run(limit: .seconds(100)) { log.entries.contains("sooner") }
        #expect(log.entries == (isInTime ? ["sooner"] : ["later", "sooner"]))
        later.invalidate()
        host.settle()
        #expect(!host.poll(milliseconds: 20))
        return isInTime
      }
    }
  }

  @Test("R11, T7 timers with tolerance share a turn")
  func tolerance() async throws {
    try await withPollingHost { host in
      let log = Log(of: Int.self)
      for number in 0..<5 {
        let interval = Duration.milliseconds(20 + 2 * number)
        host.loop.add(
          GRunLoop.Timer(interval: interval, tolerance: .milliseconds(50)) { _ in log.append(number) },
          forMode: .default)
      }
      host.settle()
      let before = host.turns
      host.run { log.count == 5 }
      #expect(log.entries == [0, 1, 2, 3, 4])
      #expect(host.turns - before <= 2)
    }
  }

  @Test("R11 GLib's own time-outs come, one turn each, and never too soon")
  func foreign() async throws {
    try await withPollingHost { host in
      let log = Log(of: GRunLoop.Instant.self)
      let start = GRunLoop.Instant.now
      Foreign.timeout(milliseconds: 15) {
        log.append(.now)
        return log.count < 4
      }.attach(to: host.loop.context)
      host.loop.iterate()
      let before = host.turns
      host.run { log.count == 4 }
      #expect(start.duration(to: log.entries[3]) >= .milliseconds(60))
      // Each may have one turn in vain: GLib tells whole milliseconds.
      #expect(host.turns - before <= 8)
      host.settle()
      #expect(!host.poll(milliseconds: 50), "the time-out is gone")
    }
  }
}
