import GLibRunLoop
import Testing

@Suite struct TimerToleranceChangesTests {
  @Test("T7 a tolerance that another thread makes smaller wakes the loop for it", arguments: Driver.allCases)
  func madeSmaller(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      // Repeating, since on a slow machine the first date may pass before the loop has slept for the first time.
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true, tolerance: .seconds(1000)) { timer in
        if timer.tolerance == .milliseconds(2) { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      let loop = drive.loop
      let thread = TestThread {
        waitUntilAsleep(loop)
        timer.tolerance = .milliseconds(2)
      }
      drive.run()
      thread.join()
      #expect(timer.tolerance == .milliseconds(2))
    }
  }

  @Test("T7, T5 a tolerance set in the timer's own call-back leaves its dates alone", arguments: Driver.allCases)
  func changedInOwnCallBack(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: .now, interval: .seconds(1000), repeats: true) { timer in
        calls += 1
        timer.tolerance = .milliseconds(calls)
        if calls == 100 { drive.quit() }
      }
      let date = timer.fireDate
      drive.loop.add(timer, forMode: .default)
      drive.run(for: .milliseconds(10))
      #expect(calls == 1)
      #expect(timer.fireDate == date + .seconds(1000))
      #expect(timer.tolerance == .milliseconds(1))
    }
  }

  @Test("T7 a negative tolerance is none, and a diagnostic says so")
  func negative() async throws {
    try await onLoopThread {
      let warnings = CapturedWarnings.during {
        let timer = GRunLoop.Timer(interval: .seconds(1), tolerance: .seconds(-1)) { _ in }
        #expect(timer.tolerance == .zero)
        timer.tolerance = .nanoseconds(-1)
        #expect(timer.tolerance == .zero)
      }
      #expect(warnings.count == 2)
    }
  }
}
