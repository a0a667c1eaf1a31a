import GLibRunLoop
import Glibc
import Testing

@Suite struct PerformWakesTests {
  @Test("P1 from another thread it wakes a sleeping loop", arguments: Driver.allCases)
  func wakes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: Int.self)
      let thread = TestThread {
        for index in 0..<100 {
          while !loop.isWaiting { sched_yield() }
          let done = Gate<Void>()
          switch index % 4 {
          case 0: loop.perform { done.open() }
          case 1: loop.perform(inModes: ["other", .default]) { done.open() }
          case 2: loop.perform(priority: .idle) { done.open() }
          default: loop.perform(after: .zero) { done.open() }
          }
          done.wait()
          log.append(index)
        }
        loop.perform { drive.quit() }
      }
      drive.run()
      thread.join()
      #expect(log.count == 100)
    }
  }

  @Test("P1 for a mode that is not running it leaves the loop asleep", arguments: Driver.allCases)
  func leavesAsleep(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      log.watch(.afterWaiting)
      let thread = TestThread {
        while !loop.isWaiting { sched_yield() }
        for _ in 0..<1000 { loop.perform(inModes: ["other"]) { log.append("ran") } }
        loop.perform { drive.quit() }
      }
      drive.run()
      thread.join()
      #expect(log.count <= 2)
      #expect(loop.run(mode: "other", for: .zero) == .timedOut)
      #expect(log.entries.filter { $0 == "ran" }.count == 1000)
    }
  }
}
