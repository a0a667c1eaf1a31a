import GLibRunLoop
import Glibc
import Testing

@Suite struct TimerClocksTests {
  private static func reading(_ timebase: GRunLoop.Timebase) -> Int64 {
    var time = timespec()
    switch timebase {
    case .monotonic: clock_gettime(CLOCK_MONOTONIC, &time)
    case .continuous: clock_gettime(CLOCK_BOOTTIME, &time)
    case .wall: clock_gettime(CLOCK_REALTIME, &time)
    }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  @Test(
    "T9 the clocks are the machine's: monotonic, counting suspend, of the day", arguments: GRunLoop.Timebase.allCases)
  func readings(_ timebase: GRunLoop.Timebase) {
    // The wall clock may be set back at any time, by a little.
    let before = Self.reading(timebase) - (timebase == .wall ? 1_000_000_000 : 0)
    let now = GRunLoop.Instant.now(on: timebase)
    #expect(now.timebase == timebase)
    #expect(now.nanoseconds >= before)
    #expect(now.nanoseconds <= Self.reading(timebase) + (timebase == .wall ? 1_000_000_000 : 0))
  }

  @Test(
    "T9 a date on each clock ends a sleep, and is never early", arguments: Driver.allCases,
    GRunLoop.Timebase.allCases)
  func fires(_ driver: Driver, _ timebase: GRunLoop.Timebase) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let first = GRunLoop.Instant.now(on: timebase) + .milliseconds(5)
      let step = Duration.milliseconds(3)
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: first, interval: step, repeats: true) { timer in
        #expect(.now(on: timebase) >= timer.fireDate)
        #expect(timer.fireDate.timebase == timebase)
        #expect(isWhole(first.duration(to: timer.fireDate), of: step))
        calls += 1
        if calls == 5 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(calls == 5)
    }
  }

  @Test("T9 timers of all clocks beside each other, in private modes too", arguments: Driver.allCases)
  func allClocks(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var fired: Set<GRunLoop.Timebase> = []
      func add(_ timebase: GRunLoop.Timebase, mode: GRunLoop.Mode, _ end: @escaping () -> Void) {
        let timer = GRunLoop.Timer(fireDate: .now(on: timebase) + .milliseconds(2)) { _ in
          fired.insert(timebase)
          if fired.count == 3 { end() }
        }
        drive.loop.add(timer, forMode: mode)
      }
      for timebase in GRunLoop.Timebase.allCases { add(timebase, mode: .common) { drive.quit() } }
      drive.run()
      #expect(fired.count == 3)
      fired = []
      for timebase in GRunLoop.Timebase.allCases { add(timebase, mode: "private") { drive.loop.stop() } }
      #expect(drive.loop.run(mode: "private", for: .seconds(30)) == .stopped)
    }
  }

  @Test(
    "T9, T2 another thread moves a date of any clock to sooner", arguments: Driver.allCases,
    GRunLoop.Timebase.allCases)
  func moved(_ driver: Driver, _ timebase: GRunLoop.Timebase) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let timer = GRunLoop.Timer(fireDate: .now(on: timebase) + .seconds(1000)) { _ in
        calls += 1
        drive.quit()
      }
      drive.loop.add(timer, forMode: .default)
      let loop = drive.loop
      let thread = TestThread {
        waitUntilAsleep(loop)
        timer.fireDate = .now(on: timebase) + .milliseconds(2)
      }
      drive.run()
      thread.join()
      #expect(calls == 1)
    }
  }

  @Test("T9 a date of another clock is converted, and the timer's clock stays", arguments: GRunLoop.Timebase.allCases)
  func converted(_ timebase: GRunLoop.Timebase) async throws {
    try await onLoopThread {
      for other in GRunLoop.Timebase.allCases {
        let timer = GRunLoop.Timer(fireDate: .now(on: timebase)) { _ in }
        timer.fireDate = .now(on: other) + .seconds(1000)
        #expect(timer.fireDate.timebase == timebase)
        let distance = GRunLoop.Instant.now(on: timebase).duration(to: timer.fireDate)
        #expect(distance > .seconds(900) && distance < .seconds(1100))
      }
    }
  }
}
