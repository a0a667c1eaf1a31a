import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct NoFalseAlarmTests {
  @Test("a loop that waits, or runs nested in a call-back, does not stall", arguments: Driver.allCases)
  func turning(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      // A machine that lets the thread wait makes it stall indeed, however long that is.
      try inTime(from: .milliseconds(200), to: .seconds(3)) { limit in
        let stalls = try drive.loop.stalls(limit: limit) {
          drive.loop.perform(after: limit * 3.5) {
            let tick = GRunLoop.Timer(interval: limit * 1.5, repeats: true) { _ in }
            drive.loop.add(tick, forMode: "nested")
            drive.loop.run(mode: "nested", for: limit * 3.5)
            tick.invalidate()
            drive.quit()
          }
          drive.run()
        }
        return stalls.isEmpty
      }
    }
  }

  @Test("R2 a thread that does something else after its run does not stall")
  func afterRun() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      try inTime(from: .milliseconds(50), to: .seconds(3)) { limit in
        let stalls = try loop.stalls(limit: limit) {
          loop.perform {}
          loop.run(mode: .default, for: .milliseconds(20))
          usleepUninterrupted(limit * 6)
        }
        return stalls.isEmpty
      }
    }
  }

  @Test("a context that nobody runs any more does not stall, if stacks are taken")
  func afterGLibRun() async throws {
    try await onLoopThread {
      let drive = Drive(.glib)
      try inTime(from: .milliseconds(50), to: .seconds(3)) { limit in
        let stalls = try drive.loop.stalls(limit: limit, takesStacks: true) {
          for _ in 0..<2 {
            drive.loop.perform(after: .milliseconds(10)) { drive.quit() }
            drive.run()
          }
          usleepUninterrupted(limit * 6)
        }
        return stalls.isEmpty
      }
    }
  }

  @Test("time in which the process is stopped does not count")
  func stoppedProcess() async throws {
    try await onLoopThread {
      try inTime(from: .milliseconds(400), to: .seconds(3)) { limit in
        let program = try ChildProgram(scenario: "works-in-steps", ["\(Int(limit / .milliseconds(1)))"])
        #expect(program.line() == "works")
        for _ in 0..<3 {
          program.signal(SIGSTOP)
          usleepUninterrupted(limit * 2)
          program.signal(SIGCONT)
          usleep(150_000)
        }
        program.signal(SIGTERM)
        return program.line() == "0 stalls"
      }
    }
  }

  // The sanitizer's own thread wakes ten times a second.
  @Test("R8 a program that idles has no wake-up because of the detector", .disabled(if: hasThreadSanitizer))
  func idle() async throws {
    try await onLoopThread {
      // What the machine does beside can only add to the count.
      var counts: [Int] = []
      for _ in 0..<10 where counts.last != 0 {
        let program = try ChildProgram(scenario: "idles")
        counts.append(Int(try #require(program.line()))!)
        program.end()
      }
      #expect(counts.last == 0)
    }
  }
}
