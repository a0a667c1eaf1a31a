import GLibRunLoop
import Testing

@Suite struct RefusedRunsTests {
  @Test("R2, L4 running off the loop's thread is refused with one line each time, and nothing runs")
  func otherThread() async throws {
    let worker = LoopWorker()
    let loop = worker.loop
    try await onLoopThread {
      let log = Log(of: String.self)
      let observer = GRunLoop.Observer(activities: .entry, sendableHandler: { _, _ in log.append("entry") })
      loop.add(observer, forMode: "mine")
      loop.add(GRunLoop.Source(sendableHandler: { _ in }), forMode: "mine")
      let warnings = CapturedWarnings.during {
        #expect(loop.run(mode: "mine", for: .seconds(30)) == .finished)
        #expect(!loop.run(mode: "mine", before: .distantFuture))
        loop.run()
        loop.run(until: .distantFuture)
      }
      #expect(warnings.count == 4)
      for warning in warnings { #expect(warning.contains("only the loop's own thread can run it")) }
      #expect(log.entries.isEmpty)
    }
    // It is none the worse for it.
    #expect(try await loop.performAndWait { 1 } == 1)
    worker.finish()
  }

  @Test("R2, M1 a mode without a name is refused with one line")
  func namelessMode() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let warnings = CapturedWarnings.during {
        #expect(loop.run(mode: "", for: .seconds(30)) == .finished)
        #expect(!loop.run(mode: "", before: .distantFuture))
      }
      #expect(warnings.count == 2)
    }
  }

  @Test("R2 durations at the ends of the range", arguments: [-1, .min, .min + 1] as [Int64])
  func negative(seconds: Int64) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var fired = false
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      loop.add(GRunLoop.Timer(fireDate: .now) { _ in fired = true }, forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(seconds)) == .timedOut)
      #expect(fired)
    }
  }

  @Test("R2, R4 an endless duration does not overflow into the past")
  func endless() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      for duration: Duration in [.seconds(Int64.max), .seconds(292 * 366 * 86400)] {
        var fires = 0
        let timer = GRunLoop.Timer(interval: .milliseconds(2), repeats: true) { timer in
          fires += 1
          if fires == 3 { timer.invalidate() }
        }
        loop.add(timer, forMode: .default)
        #expect(loop.run(mode: .default, for: duration) == .finished)
        #expect(fires == 3)
      }
    }
  }
}
