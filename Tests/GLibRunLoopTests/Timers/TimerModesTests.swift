import CGLib
import GLibRunLoop
import Testing

@Suite struct TimerModesTests {
  @Test("T3 a date that passes in another mode fires when a run comes to its mode", arguments: Driver.allCases)
  func heldUntilItsMode(_ driver: Driver) async throws {
    try await inManualTime { _ in
      let drive = Drive(driver)
      var log: [String] = []
      let theirs = GRunLoop.Timer(interval: .milliseconds(1)) { _ in log.append("default") }
      let common = GRunLoop.Timer(interval: .milliseconds(1)) { _ in log.append("common") }
      let date = theirs.fireDate
      drive.loop.add(theirs, forMode: .default)
      drive.loop.add(common, forMode: .common)
      let own = GRunLoop.Timer(interval: .milliseconds(10)) { _ in log.append("private") }
      drive.loop.add(own, forMode: "private")
      let nested = GRunLoop.Source { _ in
        drive.loop.run(mode: "private", for: .seconds(30))
        log.append("back")
      }
      drive.loop.add(nested, forMode: .default)
      nested.signal()
      let end = GRunLoop.Timer(fireDate: date + .milliseconds(20)) { _ in drive.quit() }
      drive.loop.add(end, forMode: .default)
      drive.run()
      #expect(log.prefix(2) == ["private", "back"])
      #expect(log.dropFirst(2) == ["default", "common"])
    }
  }

  @Test(
    "T3 a timer in the common modes fires in a modal run, one in the default mode waits", arguments: Driver.allCases)
  func commonModes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      let plain = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in log.append("default") }
      let common = GRunLoop.Timer(interval: .milliseconds(2), repeats: true) { timer in
        log.append("common")
        if log.count == 4 { drive.loop.stop() }
      }
      let nested = GRunLoop.Source { _ in
        let result = drive.loop.run(mode: .modalPanel, for: .seconds(30))
        #expect(result == .stopped)
        common.invalidate()
        log.append("back")
      }
      drive.loop.add(plain, forMode: .default)
      drive.loop.add(common, forMode: .common)
      drive.loop.add(nested, forMode: .default)
      nested.signal()
      let end = GRunLoop.Observer(activities: .beforeTimers) { _, _ in if log.last == "default" { drive.quit() } }
      drive.loop.add(end, forMode: .default)
      drive.run()
      // Those that it missed are made up for by one.
      #expect(log.prefix(6) == ["common", "common", "common", "common", "back", "default"])
    }
  }

  @Test("T3 a timer in two modes has one date: fired in one, it is not due in the other")
  func severalModes() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var modes: [GRunLoop.Mode?] = []
      let timer = GRunLoop.Timer(fireDate: .now, interval: .seconds(1000), repeats: true) { _ in
        modes.append(loop.currentMode)
      }
      for mode in [GRunLoop.Mode.common, .default, "a", "b"] { loop.add(timer, forMode: mode) }
      for mode in [GRunLoop.Mode("a"), "b", .default, .modalPanel] { loop.run(mode: mode, for: .zero) }
      #expect(modes == ["a"])
      timer.fireDate = .now
      for mode in [GRunLoop.Mode.default, .modalPanel, "b", "a"] { loop.run(mode: mode, for: .zero) }
      #expect(modes == ["a", .default])
      loop.remove(timer, forMode: "b")
      timer.fireDate = .now
      for mode in [GRunLoop.Mode("b"), "a"] { loop.run(mode: mode, for: .zero) }
      #expect(modes == ["a", .default, "a"])
    }
  }

  @Test("T3 a timer taken out of its mode keeps its date until it is added again", arguments: Driver.allCases)
  func removed(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      var calls = 0
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in
        calls += 1
        drive.quit()
      }
      let date = timer.fireDate
      drive.loop.add(timer, forMode: .default)
      drive.loop.remove(timer, forMode: .default)
      clock.advance(by: .milliseconds(10), through: driver.mover)
      #expect(calls == 0 && timer.isValid && timer.fireDate == date)
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(calls == 1)
    }
  }
}
