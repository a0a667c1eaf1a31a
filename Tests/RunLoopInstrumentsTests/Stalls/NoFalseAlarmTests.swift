import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct NoFalseAlarmTests {
  @Test("a loop that waits, or runs nested in a call-back, does not stall", arguments: Driver.allCases)
  func turning(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let stalls = try drive.loop.stalls(limit: .milliseconds(200)) {
        drive.loop.perform(after: .milliseconds(700)) {
          let tick = GRunLoop.Timer(interval: .milliseconds(300), repeats: true) { _ in }
          drive.loop.add(tick, forMode: "nested")
          drive.loop.run(mode: "nested", for: .milliseconds(700))
          tick.invalidate()
          drive.quit()
        }
        drive.run()
      }
      #expect(stalls.isEmpty)
    }
  }

  @Test("R2 a thread that does something else after its run does not stall")
  func afterRun() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let stalls = try loop.stalls {
        loop.perform {}
        loop.run(mode: .default, for: .milliseconds(20))
        usleep(300_000)
      }
      #expect(stalls.isEmpty)
    }
  }

  @Test("a context that nobody runs any more does not stall, if stacks are taken")
  func afterGLibRun() async throws {
    try await onLoopThread {
      let drive = Drive(.glib)
      let stalls = try drive.loop.stalls(takesStacks: true) {
        for _ in 0..<2 {
          drive.loop.perform(after: .milliseconds(10)) { drive.quit() }
          drive.run()
        }
        let end = GRunLoop.Instant.now + .milliseconds(300)
        while .now < end { usleep(1000) }
      }
      #expect(stalls.isEmpty)
    }
  }

  @Test("time in which the process is stopped does not count")
  func stoppedProcess() async throws {
    try await onLoopThread {
      let program = try ChildProgram(scenario: "works-in-steps")
      #expect(program.line() == "works")
      for _ in 0..<3 {
        program.signal(SIGSTOP)
        usleep(800_000)
        program.signal(SIGCONT)
        usleep(150_000)
      }
      program.signal(SIGTERM)
      #expect(program.line() == "0 stalls")
    }
  }

  // The sanitizer's own thread wakes ten times a second.
  @Test("R8 a program that idles has no wake-up because of the detector", .disabled(if: hasThreadSanitizer))
  func idle() async throws {
    try await onLoopThread {
      // What the machine does beside can only add to the count.
      var counts: [Int] = []
      for _ in 0..<3 where counts.last != 0 {
        let program = try ChildProgram(scenario: "idles")
        counts.append(Int(try #require(program.line()))!)
        program.end()
      }
      #expect(counts.last == 0)
    }
  }
}
