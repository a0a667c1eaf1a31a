import Foundation
import GLibRunLoop
import RunLoopFoundation
import Testing

@Suite struct DatesTests {
  @Test("T9 a date is a moment of the wall clock, and back")
  func roundTrip() {
    let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    let instant = GRunLoop.Instant(date)
    #expect(instant.timebase == .wall)
    #expect(instant.nanoseconds == 1_700_000_000_250_000_000)
    #expect(Date(instant) == date)
    #expect(GRunLoop.Instant(Date.distantFuture).nanoseconds == .max)
    #expect(GRunLoop.Instant(Date.distantPast).nanoseconds == .min)
    #expect(Date(GRunLoop.Instant.distantFuture) == .distantFuture)
    #expect(Date(GRunLoop.Instant.distantPast) == .distantPast)
    #expect(GRunLoop.Instant(Date(timeIntervalSince1970: -.infinity)).nanoseconds == .min)
  }

  @Test("T9, T13 an instant before the machine's start becomes its date, however far back")
  func beforeTheStart() {
    let years = 290.0 * 365 * 86_400
    for timebase in [GRunLoop.Timebase.monotonic, .continuous] {
      let instant = GRunLoop.Instant(nanoseconds: Int64(-years * 1e9), on: timebase)
      let start = Date(GRunLoop.Instant(nanoseconds: 0, on: timebase))
      // What the two calls read differs by as long as a busy machine takes between them.
      #expect(abs(Date(instant).timeIntervalSince(start) + years) < 60)
    }
  }

  @Test("T9 an instant of another clock becomes a date as the clocks stand now", arguments: GRunLoop.Timebase.allCases)
  func otherClocks(_ timebase: GRunLoop.Timebase) {
    let earliest = Date()
    let date = Date(GRunLoop.Instant.now(on: timebase) + .seconds(100))
    let latest = Date()
    // Between the readings of two clocks a busy machine may do other things.
    #expect(date >= earliest + 90 && date <= latest + 110)
  }

  @Test("M1 modes have the same names in both worlds")
  func modes() {
    #expect(GRunLoop.Mode(RunLoop.Mode.default) == .default)
    #expect(GRunLoop.Mode(RunLoop.Mode.common) == .common)
    #expect(RunLoop.Mode(GRunLoop.Mode("own")) == RunLoop.Mode(rawValue: "own"))
  }
}
