import CGLib
import GLibRunLoop
import Testing

@Suite struct ManualRunTests {
  @Test("R2, R4 runs with a date end exactly at it, in no time")
  func runs() async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      let start = clock.now
      loop.run(until: start + .seconds(3600))
      #expect(clock.now == start + .seconds(3600))
      #expect(loop.run(mode: .default, for: .nanoseconds(1)) == .timedOut)
      #expect(clock.now == start + .seconds(3600) + .nanoseconds(1))
      #expect(loop.run(mode: .default, for: .zero) == .timedOut)
      loop.run(until: .distantPast)
      #expect(clock.now == start + .seconds(3600) + .nanoseconds(1), "a poll takes no time")
    }
  }

  @Test("T12, R3 a timer does not make run(mode:before:) return; a source does, at its moment")
  func timerIsNoSource() async throws {
    try await inManualTime { clock in
      let start = clock.now
      let source = GRunLoop.Source { _ in }
      var ticks = 0
      let timer = GRunLoop.Timer(interval: .seconds(1), repeats: true) { _ in
        ticks += 1
        if ticks == 5 { source.signal() }
      }
      clock.loop.add(timer, forMode: .default)
      clock.loop.add(source, forMode: .default)
      #expect(clock.loop.run(mode: .default, before: start + .seconds(60)))
      #expect(ticks == 5 && clock.now == start + .seconds(5))
      #expect(clock.loop.run(mode: .default, for: .seconds(20), returnAfterSourceHandled: true) == .timedOut)
      #expect(ticks == 25 && clock.now == start + .seconds(25))
    }
  }

  @Test("R2, R5, M5 the time stands where a stop left it; an empty mode costs all of it")
  func stopped() async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      let start = clock.now
      clock.advance(by: .seconds(5))
      #expect(clock.now == start + .seconds(5), "an empty mode has nothing to wait for")
      loop.add(GRunLoop.Timer(interval: .seconds(5)) { _ in loop.stop() }, forMode: .default)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      clock.advance(by: .seconds(60))
      #expect(clock.now == start + .seconds(10))
      clock.advance(to: start)
      #expect(clock.now == start + .seconds(10), "never backward")
    }
  }

  @Test("M7, R6 a GLib loop runs in that time by itself, until something ends it", arguments: Driver.allCases)
  func whole(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      let start = clock.now
      var log: [Duration] = []
      let timer = GRunLoop.Timer(interval: .seconds(2), repeats: true) { _ in
        log.append(clock.now - start)
        if log.count == 3 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(log == [.seconds(2), .seconds(4), .seconds(6)])
      timer.invalidate()
    }
  }
}
