import GLibRunLoop
import Testing

/// A repeating timer called its closure when it was made, or when it was added, and not only an interval later.
/// https://github.com/swiftlang/swift-corelibs-foundation/issues/4712
/// https://github.com/skiptools/skip-foundation/pull/37
@Suite struct TimerFiresAtCreationRegression {
  @Test(
    "T1, T2 a timer does not fire by being made or added (swift-corelibs-foundation)",
    arguments: Driver.allCases, [false, true])
  func silent(_ driver: Driver, scheduled: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let interval = Duration.milliseconds(50)
      var fires: [GRunLoop.Instant] = []
      let made = GRunLoop.Instant.now
      let handler: (GRunLoop.Timer) -> Void = { timer in
        fires.append(.now)
        timer.invalidate()
        drive.quit()
      }
      let timer =
        scheduled
        ? GRunLoop.Timer.scheduled(interval: interval, repeats: true, handler: handler)
        : GRunLoop.Timer(interval: interval, repeats: true, handler: handler)
      #expect(fires.isEmpty)
      // Added from inside the run, as programs do.
      if !scheduled { drive.loop.perform { drive.loop.add(timer, forMode: .default) } }
      drive.run()
      #expect(fires.count == 1)
      #expect(fires.allSatisfy { $0 - made >= interval })
    }
  }
}
