import GLibRunLoop
import Testing

@Suite struct ManualWallTimeTests {
  @Test("T9 all clocks move together, and timers of each fire exactly", arguments: Driver.allCases)
  func together(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let starts = GRunLoop.Timebase.allCases.map { clock.now(on: $0) }
      var log: [(GRunLoop.Timebase, Duration)] = []
      for (index, start) in starts.enumerated() {
        let timer = GRunLoop.Timer(fireDate: start + .seconds(3 - index)) { timer in
          #expect(timer.fireDate == .now(on: start.timebase))
          log.append((start.timebase, clock.now - starts[0]))
        }
        clock.loop.add(timer, forMode: .default)
      }
      clock.advance(by: .seconds(10), through: driver.mover)
      #expect(log.map(\.0) == [.wall, .continuous, .monotonic])
      #expect(log.map(\.1) == [.seconds(1), .seconds(2), .seconds(3)])
      for start in starts { #expect(clock.now(on: start.timebase) - start == .seconds(10)) }
    }
  }

  @Test("T9, T5 dates on the wall follow when the time of day is set; others stay", arguments: Driver.allCases)
  func set(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      let midnight = GRunLoop.Instant(nanoseconds: 1_000_000_000_000_000_000, on: .wall)
      clock.setWallTime(midnight)
      let start = clock.now
      var wall: [Duration] = []
      let daily = GRunLoop.Timer(fireDate: midnight + .seconds(60), interval: .seconds(60), repeats: true) { timer in
        wall.append(timer.fireDate - midnight)
      }
      var monotonic: [Duration] = []
      let steady = GRunLoop.Timer(interval: .seconds(100)) { _ in monotonic.append(clock.now - start) }
      for timer in [daily, steady] { loop.add(timer, forMode: .default) }
      loop.perform(after: .seconds(90)) { clock.setWallTime(midnight + .seconds(3601)) }
      clock.advance(by: .seconds(100), through: driver.mover)
      #expect(wall == [.seconds(60), .seconds(120)], "what the clock jumped over is one call")
      #expect(monotonic == [.seconds(100)])
      #expect(daily.fireDate == midnight + .seconds(3660))
      clock.setWallTime(midnight + .seconds(3000))
      clock.advance(by: .seconds(659), through: driver.mover)
      #expect(wall.count == 2)
      clock.advance(by: .seconds(1), through: driver.mover)
      #expect(wall.last == .seconds(3660))
    }
  }

  @Test("T9 while the machine is suspended the monotonic clock stands still", arguments: Driver.allCases)
  func suspended(_ driver: Driver) async throws {
    try await inManualTime { clock in
      var log: [GRunLoop.Timebase] = []
      for timebase in GRunLoop.Timebase.allCases {
        let timer = GRunLoop.Timer(fireDate: .now(on: timebase) + .seconds(60)) { _ in log.append(timebase) }
        clock.loop.add(timer, forMode: .default)
      }
      let before = clock.now
      clock.suspend(for: .seconds(3600))
      #expect(clock.now == before)
      clock.advance(to: clock.now, through: driver.mover)
      #expect(Set(log) == [.continuous, .wall] && log.count == 2)
      clock.advance(by: .seconds(60), through: driver.mover)
      #expect(log.last == .monotonic)
    }
  }
}
