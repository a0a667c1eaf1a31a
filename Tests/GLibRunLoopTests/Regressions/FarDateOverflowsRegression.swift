import GLibRunLoop
import Testing

/// A wait of more than 24.8 days does not fit into poll's milliseconds: it became negative, for ever or not at all.
/// https://github.com/tokio-rs/mio/pull/1948
/// https://github.com/youtube/cobalt/pull/3027
@Suite struct FarDateOverflowsRegression {
  @Test(
    "R8, T1, R2 a wait of weeks neither spins nor hides what is nearer (mio, Cobalt)",
    arguments: Driver.allCases, [25, 50, 40_000])
  func weeks(_ driver: Driver, days: Int64) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let far = Duration.seconds(days * 86_400)
      let items: [GRunLoop.Item] = [
        GRunLoop.Timer(interval: far) { _ in Issue.record("it came weeks early") },
        GRunLoop.Timer(interval: far, repeats: true) { _ in Issue.record("it came weeks early") },
      ]
      for item in items { drive.loop.add(item, forMode: .default) }
      let iterations = Iterations(of: drive.loop.context)
      // Its end is a timer, too: the nearer one.
      #expect(iterations.during { drive.run(for: .milliseconds(100)) } < 30)
      drive.loop.perform(after: .milliseconds(5)) { drive.loop.stop() }
      #expect(drive.loop.run(mode: .default, for: far) == .stopped)
      for item in items { item.invalidate() }
    }
  }
}
