import GLibRunLoop
import Testing

@Suite struct ManualRealEventsTests {
  @Test("S5, S2 what is ready comes before time moves on", arguments: Driver.allCases, Work.allCases)
  func first(_ driver: Driver, _ work: Work) async throws {
    try await inManualTime { clock in
      let start = clock.now
      var log: [String] = []
      let timer = GRunLoop.Timer(interval: .seconds(1)) { _ in
        log.append("timer")
        work.makeReady { log.append("work \((clock.now - start).components.seconds)") }
      }
      clock.loop.add(timer, forMode: .default)
      clock.loop.add(GRunLoop.Timer(interval: .seconds(2)) { _ in log.append("later") }, forMode: .default)
      clock.advance(by: .seconds(3), through: driver.mover)
      #expect(log == ["timer", "work 1", "later"])
    }
  }

  @Test("R7 a sleep without a date is a real one: another thread ends it", arguments: Driver.allCases)
  func otherThread(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      let start = clock.now
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      let mainLoop = ManualMainLoop(driver)
      let thread = TestThread {
        waitUntilAsleep(loop)
        loop.perform { mainLoop.quit() }
      }
      mainLoop.run()
      thread.join()
      #expect(clock.now == start)
    }
  }

  @Test("R7, T2 a held clock waits for other threads, whatever the dates are", arguments: Driver.allCases)
  func held(_ driver: Driver) async throws {
    try await onLoopThread {
      GRunLoop.withManualClock(movesWhenIdle: false) { clock in
        let loop = clock.loop
        let start = clock.now
        let log = Log(of: String.self)
        loop.add(GRunLoop.Timer(interval: .milliseconds(1)) { _ in log.append("timer") }, forMode: .default)
        let mainLoop = ManualMainLoop(driver)
        let thread = TestThread {
          waitUntilAsleep(loop)
          loop.perform {
            log.append("perform")
            mainLoop.quit()
          }
        }
        mainLoop.run()
        thread.join()
        #expect(log.entries == ["perform"] && clock.now == start)
        clock.advance(by: .milliseconds(1), through: driver.mover)
        #expect(log.entries == ["perform", "timer"])
      }
    }
  }

  @Test("M6 time-outs of GLib's own take real time, and are served", arguments: Driver.allCases)
  func glib(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let start = clock.now
      clock.loop.add(GRunLoop.Source { _ in }, forMode: .default)
      let mainLoop = ManualMainLoop(driver)
      let timeout = Foreign.timeout(milliseconds: 1) {
        mainLoop.quit()
        return false
      }
      timeout.attach(to: clock.loop.context)
      mainLoop.run()
      #expect(clock.now == start)
    }
  }
}
