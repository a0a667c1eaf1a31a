import GLibRunLoop
import Testing

@Suite struct TimerIsNoSourceTests {
  @Test("T12 a timer does not make run(mode:before:) return; a source does")
  func runBefore() async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      var ticks = 0
      let source = GRunLoop.Source { _ in }
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in
        ticks += 1
        if ticks == 5 { source.signal() }
      }
      loop.add(timer, forMode: .default)
      loop.add(source, forMode: .default)
      #expect(loop.run(mode: .default, before: .distantFuture))
      #expect(ticks == 5)
      #expect(!source.isSignalled)
    }
  }

  @Test("T12 nor a run in a mode that is to return after one source; the limit then ends it")
  func runFor() async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      var ticks = 0
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in ticks += 1 }
      loop.add(timer, forMode: "ticks")
      #expect(loop.run(mode: "ticks", for: .milliseconds(20), returnAfterSourceHandled: true) == .timedOut)
      #expect(ticks == 20)
    }
  }

  @Test("T12 a mode whose last timer has fired is finished, not handled")
  func lastTimer() async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      loop.add(GRunLoop.Timer(interval: .milliseconds(1)) { _ in }, forMode: "once")
      #expect(loop.run(mode: "once", for: .seconds(30), returnAfterSourceHandled: true) == .finished)
    }
  }
}
