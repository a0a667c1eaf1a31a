import GLibRunLoop
import Testing

/// A timer that was added for the common modes fired in none of them, since the name was not taken for the set's.
/// https://github.com/swiftlang/swift-corelibs-foundation/pull/1439
/// https://github.com/Hammerspoon/hammerspoon/issues/1598
/// https://github.com/Mijick/Timer/issues/3
@Suite struct CommonModeTimerIgnoredRegression {
  static let modes: [GRunLoop.Mode] = [.default, .modalPanel, .eventTracking]

  @Test(
    "M1, M4 a timer added for the common modes by their name fires in each of them (swift-corelibs-foundation)",
    arguments: pairs(Driver.allCases, modes))
  func fires(_ driver: Driver, _ mode: GRunLoop.Mode) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var fires = 0
      let timer = GRunLoop.Timer(fireDate: .now) { _ in fires += 1 }
      loop.add(timer, forMode: GRunLoop.Mode(String("kCFRunLoopCommonModes")))
      #expect(loop.contains(timer, inMode: mode))
      driver.poll(loop, mode: mode)
      #expect(fires == 1)
    }
  }

  @Test(
    "M2, M4 while something is tracked, common timers go on and default ones wait (Hammerspoon)",
    arguments: Driver.allCases)
  func tracking(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      loop.add(GRunLoop.Timer(interval: .milliseconds(1)) { _ in log.append("default") }, forMode: .default)
      loop.perform {
        let common = GRunLoop.Timer(interval: .milliseconds(20)) { _ in
          log.append("common")
          loop.stop()
        }
        loop.add(common, forMode: .common)
        log.append("mouse down")
        #expect(loop.run(mode: .eventTracking, for: .seconds(30)) == .stopped)
        log.append("mouse up")
        loop.perform(after: .milliseconds(5)) { drive.quit() }
      }
      drive.run()
      // The default one may have had its turn before the tracking began.
      let tracked = log.entries.drop { $0 != "mouse down" }
      #expect(tracked.prefix(3) == ["mouse down", "common", "mouse up"])
      #expect(log.entries.contains("default"))
    }
  }
}
