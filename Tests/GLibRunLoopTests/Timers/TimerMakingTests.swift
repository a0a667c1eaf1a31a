import GLibRunLoop
import Testing

@Suite struct TimerMakingTests {
  @Test("T1 a timer has a first date, an interval, a tolerance and an order, made alone and then added")
  func properties() async throws {
    try await onLoopThread {
      let date = GRunLoop.Instant.now + .seconds(100)
      let repeating = GRunLoop.Timer(
        fireDate: date, interval: .milliseconds(250), repeats: true, tolerance: .milliseconds(20), order: 3
      ) { _ in }
      #expect(repeating.fireDate == date)
      #expect(repeating.interval == .milliseconds(250))
      #expect(repeating.tolerance == .milliseconds(20))
      #expect(repeating.order == 3)
      #expect(repeating.repeats && repeating.isValid)
      let oneShot = GRunLoop.Timer(interval: .seconds(1)) { _ in }
      #expect(!oneShot.repeats && oneShot.isValid)
      #expect(oneShot.interval == .zero && oneShot.tolerance == .zero && oneShot.order == 0)
      let loop = GRunLoop.current
      #expect(repeating.loop == nil && !loop.contains(repeating, inMode: .default))
      #expect(loop.add(repeating, forMode: .default))
      #expect(repeating.loop === loop && loop.contains(repeating, inMode: .default))
    }
  }

  @Test("T1 a timer that was made but not added never fires; added late, it does", arguments: Driver.allCases)
  func notAdded(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: .now) { _ in
        calls += 1
        drive.quit()
      }
      for _ in 0..<3 { drive.poll() }
      #expect(calls == 0 && timer.isValid)
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(calls == 1 && !timer.isValid)
    }
  }

  @Test("T1 a one-shot fires once, a repeating one again and again from its first date on", arguments: Driver.allCases)
  func firing(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let first = GRunLoop.Instant.now + .milliseconds(5)
      var log: [(name: String, date: GRunLoop.Instant)] = []
      let oneShot = GRunLoop.Timer(fireDate: first) { _ in log.append(("one-shot", .now)) }
      let repeating = GRunLoop.Timer(fireDate: first, interval: .milliseconds(2), repeats: true) { _ in
        log.append(("repeating", .now))
        if log.count == 6 { drive.quit() }
      }
      drive.loop.add(oneShot, forMode: .default)
      drive.loop.add(repeating, forMode: .default)
      drive.run()
      #expect(log.map(\.name) == ["one-shot"] + Array(repeating: "repeating", count: 5))
      for (index, entry) in log.dropFirst().enumerated() {
        #expect(entry.date >= first + .milliseconds(2 * index))
      }
    }
  }

  @Test("T1 made scheduled, a timer is in the thread's loop at once", arguments: Driver.allCases)
  func scheduled(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      let oneShot = GRunLoop.Timer.scheduled(interval: .milliseconds(1)) { _ in log.append("one-shot") }
      let repeating = GRunLoop.Timer.scheduled(
        interval: .milliseconds(2), repeats: true, tolerance: .microseconds(100), forMode: .common
      ) { timer in
        log.append("repeating")
        if log.count > 3 {
          timer.invalidate()
          drive.quit()
        }
      }
      #expect(drive.loop.contains(oneShot, inMode: .default) && !drive.loop.contains(oneShot, inMode: .modalPanel))
      #expect(drive.loop.contains(repeating, inMode: .modalPanel))
      #expect(repeating.tolerance == .microseconds(100) && repeating.interval == .milliseconds(2))
      drive.run()
      #expect(log == ["one-shot", "repeating", "repeating", "repeating"])
    }
  }
}
