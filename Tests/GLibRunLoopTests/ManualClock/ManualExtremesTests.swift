import CGLib
import GLibRunLoop
import RunLoopFoundation
import Testing

import struct Foundation.Date

@Suite struct ManualExtremesTests {
  enum Way: CaseIterable { case future, past, suspend, spend, advance, advanceBy }

  @Test("T9 at its ends the manual clock neither traps nor hangs, and the loop goes on", arguments: Way.allCases)
  func ends(_ way: Way) async throws {
    for driver in Driver.allCases {
      try await inManualTime { clock in
        let loop = clock.loop
        var log: [String] = []
        let century = Duration.seconds(3_200_000_000)
        for timebase in GRunLoop.Timebase.allCases {
          let timer = GRunLoop.Timer(
            fireDate: .now(on: timebase) + .seconds(1), interval: century, repeats: true, handler: { _ in })
          loop.add(timer, forMode: .default)
        }
        loop.add(GRunLoop.Timer(fireDate: .distantFuture) { _ in log.append("never") }, forMode: .default)
        loop.add(GRunLoop.Timer(fireDate: .now + .seconds(5)) { _ in log.append("five") }, forMode: .default)
        for _ in 0..<3 {
          switch way {
          case .future: clock.setWallTime(GRunLoop.Instant(Date.distantFuture))
          case .past: clock.setWallTime(GRunLoop.Instant(Date.distantPast))
          case .suspend: clock.suspend(for: .seconds(Int64.max))
          case .spend: clock.spend(.seconds(Int64.max))
          case .advance: clock.advance(to: .distantFuture, through: driver.mover)
          case .advanceBy: clock.advance(by: .seconds(Int64.max), through: driver.mover)
          }
          let before = clock.now
          clock.advance(by: .seconds(10), through: driver.mover)
          #expect(clock.now - before == .seconds(10), "time goes on")
        }
        #expect(log == ["five"])
        // And a loop that has nothing.
        loop.add(GRunLoop.Timer(interval: .seconds(1)) { _ in log.append("after") }, forMode: .default)
        #expect(loop.run(mode: .default, for: .seconds(2)) == .timedOut)
        clock.advance(to: .distantFuture, through: driver.mover)
        clock.advance(to: .distantPast, through: driver.mover)
        #expect(log == ["five", "after"] && clock.now < .distantFuture)
      }
    }
  }

  @Test("T9 the distant future comes for nobody in a loop that is empty", arguments: Driver.allCases)
  func empty(_ driver: Driver) async throws {
    try await inManualTime { clock in
      clock.advance(to: .distantFuture, through: driver.mover)
      clock.loop.add(GRunLoop.Source { (_: GRunLoop.Source) in Issue.record("nobody signalled") }, forMode: .default)
      clock.advance(to: .distantFuture, through: driver.mover)
    }
  }
}
