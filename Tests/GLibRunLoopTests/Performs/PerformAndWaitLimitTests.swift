import GLibRunLoop
import Synchronization
import Testing

@Suite struct PerformAndWaitLimitTests {
  @Test(
    "P3 past the time limit it throws, and the closure does not run later",
    arguments: [.milliseconds(10), .zero, .seconds(-5)] as [Duration])
  func timedOut(limit: Duration) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      // The loop is not run meanwhile.
      TestThread {
        let start = GRunLoop.Instant.now
        #expect(throws: GRunLoop.Failure.timedOut) {
          try loop.performAndWait(timeout: limit) { log.append("ran late") }
        }
        #expect(start.duration(to: .now) >= limit)
      }.join()
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      for _ in 0..<3 { loop.run(mode: .default, for: .zero) }
      #expect(log.entries.isEmpty)
    }
  }

  @Test("P3 a closure that has begun is waited for, limit or not", arguments: Driver.allCases)
  func begun(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let thread = TestThread {
        inTime(from: .milliseconds(200)) { limit in
          let hasBegun = Locked(false)
          let value = try? loop.performAndWait(timeout: limit) {
            hasBegun.withLock { $0 = true }
            // Longer than the limit, on the loop's thread.
            loop.run(mode: .modalPanel, for: limit + .milliseconds(100))
            return 5
          }
          guard hasBegun.withLock({ $0 }) else { return false }
          #expect(value == 5)
          return true
        }
        loop.perform { drive.quit() }
      }
      loop.add(GRunLoop.Source { _ in }, forMode: .modalPanel)
      drive.run(limit: .seconds(100))
      thread.join()
    }
  }

  @Test("P3 when the limit and the turn come together, it either ran or threw", arguments: Driver.allCases)
  func race(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let thread = TestThread {
        var timeouts = 0
        for round in Rounds(3000) {
          let ran = Log(of: Int.self)
          do {
            let value = try loop.performAndWait(timeout: .nanoseconds(round * 37 % 60_000)) {
              ran.append(round)
              return round
            }
            #expect(value == round && ran.entries == [round])
          } catch {
            timeouts += 1
            #expect(error as? GRunLoop.Failure == .timedOut)
            // Whatever was still on its way would have run before this.
            try? loop.performAndWait {}
            #expect(ran.entries.isEmpty)
          }
        }
        loop.perform { drive.quit() }
      }
      drive.run(limit: .seconds(100))
      thread.join()
    }
  }

  @Test("P3 two loops that wait for each other are freed by the limit")
  func mutual() async throws {
    try await onLoopThread {
      let mine = GRunLoop.current
      let other = LoopWorker()
      // The other loop waits for this one, which waits for the other.
      let inner = try other.loop.performAndWait {
        Result { try mine.performAndWait(timeout: .milliseconds(20)) { 1 } }.mapError {
          $0 as? GRunLoop.Failure ?? .ended
        }
      }
      #expect(inner == .failure(.timedOut))
      other.finish()
      mine.run(until: .distantPast)
    }
  }
}
