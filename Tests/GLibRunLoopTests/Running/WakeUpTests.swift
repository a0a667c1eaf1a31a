import GLibRunLoop
import Glibc
import Testing

@Suite struct WakeUpTests {
  @Test("R7 a wake-up from another thread ends a sleep", arguments: Driver.allCases)
  func endsSleep(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let sleeping = Gate<Void>()
      var sleeps = 0
      // A loop that is not woken would sleep until the run's limit.
      let observer = GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, activity in
        guard activity == .afterWaiting else { return sleeping.open() }
        sleeps += 1
        if sleeps == 100 { drive.quit() }
      }
      loop.add(observer, forMode: .default)
      let waker = TestThread {
        for _ in 0..<100 {
          sleeping.wait()
          while !loop.isWaiting { sched_yield() }
          loop.wakeUp()
        }
      }
      drive.run()
      #expect(sleeps == 100)
      waker.join()
    }
  }

  @Test(
    "R7 one that comes when the sleep is decided, from the loop's own thread or not, is kept",
    arguments: pairs(Driver.allCases, [true, false]))
  func betweenDecisionAndSleep(_ driver: Driver, ownThread: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      var wakes = 0
      let observer = GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, activity in
        if activity == .afterWaiting {
          wakes += 1
          if wakes == 100 { drive.quit() }
        } else if ownThread {
          loop.wakeUp()
        } else {
          TestThread { loop.wakeUp() }.join()
        }
      }
      loop.add(observer, forMode: .default)
      drive.run()
      #expect(wakes == 100)
    }
  }

  @Test("R7 wakes coalesce: many are one turn", arguments: Driver.allCases)
  func coalesce(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      log.watch(.beforeWaiting)
      log.watch(.beforeTimers)
      loop.perform {
        log.append("wakes")
        TestThread { for _ in 0..<10_000 { loop.wakeUp() } }.join()
        for _ in 0..<10_000 { loop.wakeUp() }
      }
      loop.add(
        GRunLoop.Observer(activities: .beforeWaiting, repeats: false, order: 1) { _, _ in drive.quit() },
        forMode: .default)
      drive.run()
      let turns = log.entries.drop { $0 != "wakes" }.prefix { $0 != "beforeWaiting" }
      // One that was left out of its sleep, the one that sleeps; and an empty one in between is no harm.
      #expect(turns.filter { $0 == "beforeTimers" }.count <= 3)
    }
  }
}
