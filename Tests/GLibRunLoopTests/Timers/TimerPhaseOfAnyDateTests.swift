import GLibRunLoop
import Testing

/// However long the machine has been running, and whatever its clocks show.
@Suite struct TimerPhaseOfAnyDateTests {
  /// A date by the nanoseconds of its clock, or by how long ago it was.
  enum First: Sendable {
    case at(Int64)
    case ago(Duration)

    func instant(on timebase: GRunLoop.Timebase) -> GRunLoop.Instant {
      switch self {
      case .at(let nanoseconds): GRunLoop.Instant(nanoseconds: nanoseconds, on: timebase)
      case .ago(let duration): .now(on: timebase) - duration
      }
    }
  }

  static let firsts: [First] = [
    .at(.min + 1), .at(.min / 2), .at(-1), .at(0), .at(1), .ago(.seconds(3600)), .ago(.seconds(100 * 365 * 86_400)),
    .ago(.nanoseconds(1)), .ago(.zero),
  ]

  private func step(_ first: GRunLoop.Instant, _ step: Duration, _ driver: Driver) async throws {
    try await inManualTime { clock in
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: first, interval: step, repeats: true) { _ in calls += 1 }
      clock.loop.add(timer, forMode: .default)
      clock.advance(by: .zero, through: driver.mover)
      let now = clock.now(on: first.timebase)
      #expect(calls == 1)
      // The first one after now, and in phase.
      #expect(timer.fireDate > now && timer.fireDate - step <= now, "\(timer.fireDate), now \(now)")
      #expect(isWholeInPhase(first, timer.fireDate, step))
      timer.invalidate()
    }
  }

  /// With more than 64 bits.
  private func isWholeInPhase(_ first: GRunLoop.Instant, _ date: GRunLoop.Instant, _ step: Duration) -> Bool {
    let distance = Int128(date.nanoseconds) - Int128(first.nanoseconds)
    return distance % Int128(step.components.seconds * 1_000_000_000 + step.components.attoseconds / 1_000_000_000) == 0
  }

  @Test("T5, T13 any first date keeps its phase, before the clock's zero too", arguments: Driver.allCases, firsts)
  func anyDate(_ driver: Driver, _ first: First) async throws {
    for timebase in GRunLoop.Timebase.allCases {
      for length in [Duration.nanoseconds(999_983), .seconds(100), .seconds(86_400 * 365 * 50)] {
        try await step(first.instant(on: timebase), length, driver)
      }
    }
  }

  @Test("T13 the distant past of any clock has no phase: dates count from the first call", arguments: Driver.allCases)
  func distantPast(_ driver: Driver) async throws {
    try await inManualTime { clock in
      for timebase in GRunLoop.Timebase.allCases {
        let step = Duration.seconds(1000)
        let timer = GRunLoop.Timer(
          fireDate: GRunLoop.Instant(nanoseconds: .min, on: timebase), interval: step, repeats: true
        ) { _ in clock.spend(.seconds(3)) }
        clock.loop.add(timer, forMode: .default)
        clock.advance(by: .zero, through: driver.mover)
        #expect(timer.fireDate == clock.now(on: timebase) + step)
        timer.invalidate()
      }
    }
  }

  @Test("T2, T13 the distant past and future stay what they are when a timer of another clock is moved to them")
  func moved() async throws {
    try await onLoopThread {
      for (own, other) in [(GRunLoop.Timebase.monotonic, GRunLoop.Timebase.wall), (.wall, .continuous)] {
        let timer = GRunLoop.Timer(fireDate: .now(on: own)) { _ in }
        for end in [Int64.min, .max] {
          timer.fireDate = GRunLoop.Instant(nanoseconds: end, on: other)
          #expect(timer.fireDate == GRunLoop.Instant(nanoseconds: end, on: own))
        }
      }
    }
  }

  @Test("T4 dates of several clocks, however far back, come in order", arguments: Driver.allCases)
  func order(_ driver: Driver) async throws {
    try await inManualTime { clock in
      var log: [Int] = []
      // Some of the distances do not fit into 64 bits.
      let dates: [GRunLoop.Instant] = [
        .distantPast,
        GRunLoop.Instant(nanoseconds: .min + 1, on: .wall),
        GRunLoop.Instant(nanoseconds: .min + 2_000_000_000, on: .wall),
        GRunLoop.Instant(nanoseconds: -86_400_000_000_000, on: .monotonic),
        .now(on: .continuous) - .seconds(1),
      ]
      for (number, date) in dates.enumerated().reversed() {
        clock.loop.add(GRunLoop.Timer(fireDate: date) { _ in log.append(number) }, forMode: .default)
      }
      clock.advance(by: .zero, through: driver.mover)
      #expect(log == Array(dates.indices))
    }
  }

  @Test("T9 from any instant to any other, and back", arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
  func arithmetic(_ from: Int64) {
    for to in [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max] {
      let (first, second) = (GRunLoop.Instant(nanoseconds: from), GRunLoop.Instant(nanoseconds: to))
      #expect(first + (second - first) == second)
      #expect(first - (first - second) == second)
    }
    #expect(GRunLoop.Instant(nanoseconds: from) + .seconds(Int64.max) == .distantFuture)
    #expect(GRunLoop.Instant(nanoseconds: from) - .seconds(Int64.max) == .distantPast)
  }
}
