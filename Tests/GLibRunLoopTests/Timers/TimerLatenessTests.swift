import CGLib
import GLibRunLoop
import Testing

/// How late timers come. A loaded machine makes any single one late, so that a low quartile is looked at, and again
/// and again until one round is good; whole milliseconds would make every round bad.
@Suite(.serialized) struct TimerLatenessTests {
  /// In microseconds, sorted.
  private static func latenesses(_ driver: Driver, count: Int) -> [Double] {
    let drive = Drive(driver)
    var late: [Double] = []
    // GLib's own time-outs round 1.3 ms up to 2 ms: they come 0.7 ms late unless something else delays the prepare.
    let delay = Duration.microseconds(1300)
    let timer = GRunLoop.Timer(interval: delay, repeats: true) { timer in
      late.append(timer.fireDate.duration(to: .now) / .microseconds(1))
      if late.count == count { return drive.quit() }
      timer.fireDate = .now + delay
    }
    drive.loop.add(timer, forMode: .default)
    drive.run()
    return late.sorted()
  }

  @Test("T8 without tolerance, lateness is the kernel's, also when GLib drives", arguments: Driver.allCases)
  func lateness(_ driver: Driver) async throws {
    let quartiles = try await onLoopThread {
      var quartiles: [Double] = []
      for _ in 0..<100 {
        let late = Self.latenesses(driver, count: 40)
        // And never early, on any machine.
        #expect(late[0] >= 0)
        quartiles.append(late[late.count / 4])
        if quartiles.last! < 300 { break }
      }
      return quartiles
    }
    #expect(quartiles.last! < 300, "lower quartiles in µs: \(quartiles)")
  }

  @Test("T8 the same with an observer of sleeps, for which GLib's poll function is another", arguments: Driver.allCases)
  func latenessWhenObserved(_ driver: Driver) async throws {
    let quartiles = try await onLoopThread {
      let watch = GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, _ in }
      GRunLoop.current.add(watch, forMode: .common)
      var quartiles: [Double] = []
      for _ in 0..<100 {
        let late = Self.latenesses(driver, count: 40)
        quartiles.append(late[late.count / 4])
        if quartiles.last! < 300 { break }
      }
      return quartiles
    }
    #expect(quartiles.last! < 300, "lower quartiles in µs: \(quartiles)")
  }
}
