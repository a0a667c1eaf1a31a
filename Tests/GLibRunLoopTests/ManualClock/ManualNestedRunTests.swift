import GLibRunLoop
import Testing

@Suite struct ManualNestedRunTests {
  @Test("T10, R6 a handler that runs the loop takes that time; its timer is not re-entered", arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      let start = clock.now
      var log: [String] = []
      func note(_ name: String) { log.append("\(name) \((clock.now - start).components.seconds)") }
      let outer = GRunLoop.Timer(interval: .seconds(10), repeats: true) { _ in
        note("begins")
        if log.count == 1 { loop.run(mode: .default, for: .seconds(25)) }
        note("ends")
      }
      let other = GRunLoop.Timer(interval: .seconds(15), repeats: true) { _ in note("other") }
      for timer in [outer, other] { loop.add(timer, forMode: .common) }
      clock.advance(by: .seconds(45), through: driver.mover)
      #expect(log == ["begins 10", "other 15", "other 30", "ends 35", "begins 40", "ends 40", "other 45"])
    }
  }

  @Test("T10 a call-back that goes further than the advance that called it", arguments: Driver.allCases)
  func further(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let start = clock.now
      var calls = 0
      let timer = GRunLoop.Timer(interval: .seconds(10)) { _ in
        calls += 1
        clock.advance(by: .seconds(100), through: driver.mover)
      }
      clock.loop.add(timer, forMode: .default)
      clock.advance(by: .seconds(20), through: driver.mover)
      #expect(calls == 1)
      #expect(clock.now == start + .seconds(110))
    }
  }

  @Test("M2, T3 a date that passes in another mode fires when a run comes to its mode")
  func modes() async throws {
    try await inManualTime { clock in
      let start = clock.now
      var fired: Duration?
      clock.loop.add(GRunLoop.Timer(interval: .seconds(1)) { _ in fired = clock.now - start }, forMode: .default)
      clock.loop.add(GRunLoop.Source { _ in }, forMode: "private")
      clock.advance(by: .seconds(5), through: .run("private"))
      #expect(fired == nil)
      clock.advance(by: .seconds(5))
      #expect(fired == .seconds(5))
    }
  }
}
