import GLibRunLoop
import Testing

@Suite struct ObserverRemovedTests {
  @Test("O3 removed or invalidated by an earlier one of the call-out, it is not called", arguments: Driver.allCases)
  func byEarlier(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      func observer(_ name: String, order: Int) -> GRunLoop.Observer {
        GRunLoop.Observer(activities: .beforeSources, order: order) { _, _ in log.append(name) }
      }
      let removed = observer("removed", order: 1)
      let invalidated = observer("invalidated", order: 2)
      let stays = observer("stays", order: 3)
      let first = GRunLoop.Observer(activities: .beforeSources, order: 0) { _, _ in
        log.append("first")
        drive.loop.remove(removed, forMode: .common)
        invalidated.invalidate()
        drive.quit()
      }
      drive.loop.add(removed, forMode: .common)
      for item in [invalidated, stays, first] { drive.loop.add(item, forMode: .default) }
      drive.loop.perform {}
      drive.run()
      #expect(log.entries == ["first", "stays"])
      #expect(removed.isValid && !invalidated.isValid)
    }
  }

  @Test("O3 one that removes itself has been called for the last time", arguments: Driver.allCases)
  func byItself(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let leaving = GRunLoop.Observer(activities: [.beforeTimers, .beforeSources]) { observer, _ in
        calls += 1
        drive.loop.remove(observer, forMode: .default)
      }
      drive.loop.add(leaving, forMode: .default)
      var passes = 0
      let counting = GRunLoop.Observer(activities: .beforeTimers) { _, _ in
        passes += 1
        if passes == 3 { drive.quit() } else { drive.loop.wakeUp() }
      }
      drive.loop.add(counting, forMode: .default)
      drive.run()
      #expect(calls == 1)
      #expect(leaving.isValid)
    }
  }

  @Test(
    "O3 invalidated from another thread while the loop goes round, it is not called again", arguments: Driver.allCases)
  func byOtherThread(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: Bool.self)
      for _ in 0..<200 {
        let observer = GRunLoop.Observer(
          activities: .all, sendableHandler: { observer, _ in log.append(observer.isValid) })
        let thread = TestThread {
          loop.add(observer, forMode: .common)
          loop.perform {}
          observer.invalidate()
          loop.perform { drive.quit() }
        }
        drive.run()
        thread.join()
        let calls = log.count
        loop.perform { drive.quit() }
        drive.run()
        #expect(log.count == calls)
      }
    }
  }
}
