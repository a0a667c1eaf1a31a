import GLibRunLoop
import Testing

@Suite struct ManualStallTests {
  @Test("R8 a loop that would wait for ever says so, if asked, and may be stopped", arguments: Driver.allCases)
  func reported(_ driver: Driver) async throws {
    try await onLoopThread {
      let mainLoop = ManualMainLoop(driver)
      let log = Log(of: String.self)
      GRunLoop.withManualClock(
        onStall: { message in
          log.append(message)
          mainLoop.quit()
        },
        { clock in
          let start = clock.now
          clock.loop.add(GRunLoop.Source { _ in }, forMode: .default)
          clock.loop.add(GRunLoop.Timer(interval: .seconds(5)) { _ in log.append("timer") }, forMode: .default)
          mainLoop.run()
          #expect(log.count == 2 && log.entries.first == "timer")
          #expect(clock.now == start + .seconds(5))
          #expect(log.entries.last?.hasPrefix("nothing will ever happen") == true)
          #expect(log.entries.last?.contains("Source") == true, "it says what the loop has")
          clock.advance(by: .seconds(5), through: driver.mover)
          #expect(log.count == 2, "an advance has a date")
        })
    }
  }

  @Test("R8 what the report gives the loop to do is done", arguments: Driver.allCases, [false, true])
  func resolved(_ driver: Driver, _ observed: Bool) async throws {
    try await onLoopThread {
      let mainLoop = ManualMainLoop(driver)
      let loop = GRunLoop.current
      var reports = 0
      GRunLoop.withManualClock(
        onStall: { _ in
          reports += 1
          loop.add(
            GRunLoop.Timer(interval: .seconds(1)) { _ in if reports == 3 { mainLoop.quit() } }, forMode: .default)
        },
        { clock in
          let start = clock.now
          loop.add(GRunLoop.Source { _ in }, forMode: .default)
          if observed { loop.add(GRunLoop.Observer(activities: .afterWaiting) { _, _ in }, forMode: .default) }
          mainLoop.run()
          #expect(reports == 3 && clock.now == start + .seconds(3))
        })
    }
  }

  @Test("R8 a report that changes nothing is followed by a real wait", arguments: Driver.allCases, [false, true])
  func waits(_ driver: Driver, _ observed: Bool) async throws {
    try await onLoopThread {
      let mainLoop = ManualMainLoop(driver)
      let loop = GRunLoop.current
      let reported = Gate<Void>()
      var reports = 0
      GRunLoop.withManualClock(
        onStall: { _ in
          reports += 1
          if reports == 1 { reported.open() }
        },
        { _ in
          loop.add(GRunLoop.Source { _ in }, forMode: .default)
          if observed { loop.add(GRunLoop.Observer(activities: .afterWaiting) { _, _ in }, forMode: .default) }
          let iterations = Iterations(of: loop.context)
          let thread = TestThread {
            reported.wait()
            waitUntilAsleep(loop)
            // Long enough that a loop which does not really wait goes round many times.
            settleDown()
            loop.perform { mainLoop.quit() }
          }
          let count = iterations.during { mainLoop.run() }
          thread.join()
          #expect(count < 50 && reports < 10)
        })
    }
  }
}

private func settleDown() {
  let end = GRunLoop.Instant.now + .milliseconds(20)
  while .now < end {}
}
