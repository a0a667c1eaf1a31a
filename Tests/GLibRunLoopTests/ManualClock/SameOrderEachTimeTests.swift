import GLibRunLoop
import Testing

@Suite struct SameOrderEachTimeTests {
  @Test("T4, P4 what is due fires by date, then order, then as it was added: the same each time and for both drivers")
  func order() async throws {
    var logs: [[String]] = []
    for driver in Driver.allCases + Driver.allCases {
      logs.append(
        try await inManualTime { clock in
          let loop = clock.loop
          let log = Log(of: String.self)
          func add(_ name: String, _ milliseconds: Int, order: Int = 0, mode: GRunLoop.Mode = .default) {
            let timer = GRunLoop.Timer(interval: .milliseconds(milliseconds), order: order) { _ in log.append(name) }
            loop.add(timer, forMode: mode)
          }
          add("f", 20)
          add("c", 10)
          add("d", 10, mode: .common)
          loop.perform(after: .milliseconds(10)) { log.append("e") }
          add("b", 10, order: -1)
          add("a", 1, order: 5)
          add("g", 40)
          loop.perform(after: .milliseconds(30)) { loop.perform(after: .milliseconds(10)) { log.append("h") } }
          add("never", 41)
          clock.advance(by: .milliseconds(40), through: driver.mover)
          return log.entries
        })
    }
    #expect(logs.allSatisfy { $0 == ["a", "b", "c", "d", "e", "f", "g", "h"] })
  }

  @Test("T4 equal dates fire in one pass, and different ones in passes of their own", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws {
    try await inManualTime { clock in
      var log: [String] = []
      for (name, milliseconds) in [("a", 1), ("b", 1), ("c", 2)] {
        clock.loop.add(
          GRunLoop.Timer(interval: .milliseconds(milliseconds)) { _ in log.append(name) }, forMode: .default)
      }
      let watch = GRunLoop.Observer(activities: .beforeTimers) { _, _ in if !log.isEmpty { log.append("pass") } }
      clock.loop.add(watch, forMode: .default)
      clock.advance(by: .milliseconds(2), through: driver.mover)
      #expect(Array(log.prefix(4)) == ["a", "b", "pass", "c"])
    }
  }

  @Test("P1 what a timer performs is done at the timer's moment, before time goes on", arguments: Driver.allCases)
  func performs(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      let start = clock.now
      let log = Log(of: Duration.self)
      let timer = GRunLoop.Timer(interval: .seconds(1), repeats: true) { _ in
        loop.perform { loop.perform { log.append(clock.now - start) } }
      }
      loop.add(timer, forMode: .default)
      clock.advance(by: .milliseconds(3500), through: driver.mover)
      #expect(log.entries == [.seconds(1), .seconds(2), .seconds(3)])
    }
  }
}
