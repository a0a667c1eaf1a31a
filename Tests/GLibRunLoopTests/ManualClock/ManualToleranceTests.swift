import GLibRunLoop
import Testing

@Suite struct ManualToleranceTests {
  @Test("T7 timers whose windows overlap share the wake-up at the first window's end", arguments: Driver.allCases)
  func shared(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let start = clock.now
      var log: [(String, Duration)] = []
      var sleeps = 0
      func add(_ name: String, _ date: Duration, _ tolerance: Duration) {
        let timer = GRunLoop.Timer(fireDate: start + date, tolerance: tolerance) { _ in
          log.append((name, clock.now - start))
        }
        clock.loop.add(timer, forMode: .default)
      }
      add("c", .microseconds(14_900), .seconds(1000))
      add("a", .microseconds(5_500), .microseconds(9_600))
      add("b", .microseconds(10_000), .microseconds(20_000))
      add("d", .microseconds(15_200), .microseconds(1))
      let watch = GRunLoop.Observer(activities: .beforeWaiting) { _, _ in sleeps += 1 }
      clock.loop.add(watch, forMode: .default)
      clock.advance(by: .microseconds(15_201), through: driver.mover)
      #expect(log.map(\.0) == ["a", "b", "c", "d"])
      #expect(
        log.map(\.1) == [.microseconds(15_100), .microseconds(15_100), .microseconds(15_100), .microseconds(15_201)])
      #expect(sleeps == 2)
    }
  }

  @Test("T7 a tolerant timer comes with the next one that cannot wait, and keeps its phase", arguments: Driver.allCases)
  func withAnother(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let start = clock.now
      var late: [Duration] = []
      let tolerant = GRunLoop.Timer(interval: .seconds(10), repeats: true, tolerance: .seconds(5)) { timer in
        late.append(clock.now - timer.fireDate)
      }
      let strict = GRunLoop.Timer(interval: .seconds(4), repeats: true) { _ in }
      for timer in [tolerant, strict] { clock.loop.add(timer, forMode: .default) }
      clock.advance(by: .seconds(40), through: driver.mover)
      #expect(late == [.seconds(2), .zero, .seconds(2), .zero])
      #expect(tolerant.fireDate == start + .seconds(50))
    }
  }
}
