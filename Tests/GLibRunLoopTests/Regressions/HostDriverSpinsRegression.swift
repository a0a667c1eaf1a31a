import GLibRunLoop
import Testing

/// A loop embedded in another driver's turn, which says in each of them that it has work, keeps a processor busy.
/// https://github.com/chromiumembedded/cef/issues/2809
/// https://github.com/chromiumembedded/cef/issues/3002
/// https://github.com/blackboardsh/electrobun/pull/473
@Suite struct HostDriverSpinsRegression {
  @Test(
    "R8, O5 a loop that somebody else drives lets the driver sleep (CEF)", arguments: Driver.allCases, [false, true])
  func sleeps(_ driver: Driver, observed: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let pipe = TestPipe()
      let items: [GRunLoop.Item] = [
        GRunLoop.Timer(interval: .seconds(1000), repeats: true) { _ in },
        GRunLoop.Source { _ in },
        GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in },
        GRunLoop.Observer(activities: observed ? .all : .beforeTimers) { _, _ in },
      ]
      for item in items { loop.add(item, forMode: .common) }
      let iterations = Iterations(of: loop.context)
      let turns = iterations.during { drive.run(for: .milliseconds(300)) }
      #expect(turns > 0 && turns < 30)
      for item in items { item.invalidate() }
    }
  }
}
