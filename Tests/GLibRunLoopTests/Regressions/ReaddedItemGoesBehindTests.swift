import GLibRunLoop
import Testing

@Suite struct ReaddedItemGoesBehindTests {
  @Test("T4 of equal dates, a timer that was removed and added again is the last added", arguments: Driver.allCases)
  func timer(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: Int.self)
      let date = GRunLoop.Instant.now
      let timers = (0..<3).map { index in GRunLoop.Timer(fireDate: date) { _ in log.append(index) } }
      for timer in timers { drive.loop.add(timer, forMode: .default) }
      drive.loop.remove(timers[0], forMode: .default)
      drive.loop.add(timers[0], forMode: .default)
      drive.poll()
      #expect(log.entries == [1, 2, 0])
    }
  }

  @Test(
    "O2 of equal orders, an observer that was removed and added again is the last added", arguments: Driver.allCases)
  func observer(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: Int.self)
      let observers = (0..<3).map { index in
        GRunLoop.Observer(activities: .beforeSources) { _, _ in log.append(index) }
      }
      for observer in observers { drive.loop.add(observer, forMode: .default) }
      drive.loop.remove(observers[0], forMode: .default)
      drive.loop.add(observers[0], forMode: .default)
      drive.poll()
      #expect(Array(log.entries.prefix(3)) == [1, 2, 0])
    }
  }
}
