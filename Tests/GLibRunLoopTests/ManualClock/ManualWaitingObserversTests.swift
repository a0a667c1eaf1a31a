import CGLib
import GLibRunLoop
import Testing

@Suite struct ManualWaitingObserversTests {
  @Test("O4, O5 observers are told of sleeps that take no real time, in pairs", arguments: Driver.allCases)
  func pairs(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let start = clock.now
      var log: [String] = []
      let watch = GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, activity in
        log.append("\(activity == .beforeWaiting ? "before" : "after") \((clock.now - start).components.seconds)")
      }
      clock.loop.add(watch, forMode: .default)
      let timer = GRunLoop.Timer(interval: .seconds(1), repeats: true) { _ in log.append("timer") }
      clock.loop.add(timer, forMode: .default)
      clock.advance(by: .seconds(3), through: driver.mover)
      timer.invalidate()
      clock.advance(to: clock.now, through: driver.mover)
      let expected = (1...3).flatMap { ["before \($0 - 1)", "after \($0)", "timer"] }
      #expect(log == expected)
    }
  }

  @Test("O6 what a beforeWaiting observer makes ready is handled before time goes on", arguments: Driver.allCases)
  func ready(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      let start = clock.now
      let log = Log(of: Duration.self)
      let watch = GRunLoop.Observer(activities: .beforeWaiting) { _, _ in
        if log.count == 0 { loop.perform { log.append(clock.now - start) } }
      }
      loop.add(watch, forMode: .default)
      loop.add(GRunLoop.Timer(interval: .seconds(5)) { _ in log.append(clock.now - start) }, forMode: .default)
      clock.advance(by: .seconds(5), through: driver.mover)
      #expect(log.entries == [.zero, .seconds(5)])
    }
  }

  @Test("O5 the poll function is in the host's context only while the clock is on")
  func pollFunction() async throws {
    try await onLoopThread {
      let context = GRunLoop.current.context
      func function() -> UInt { unsafeBitCast(g_main_context_get_poll_func(context), to: UInt.self) }
      let before = function()
      GRunLoop.withManualClock { _ in #expect(function() != before) }
      #expect(function() == before)
    }
  }
}
