import GLibRunLoop
import Testing

@Suite struct ThreadSkeletonExampleTests {
  /// What a run returned, and when.
  private struct Return: Equatable {
    let result: GRunLoop.RunResult
    let date: Duration
  }

  private static func play(_ clock: GRunLoop.ManualClock, at dates: [Duration: (GRunLoop.Source) -> Void]) -> [Return] {
    let start = clock.now
    let source = GRunLoop.Source { _ in }
    for (date, act) in dates {
      clock.loop.add(GRunLoop.Timer(fireDate: start + date) { _ in act(source) }, forMode: .default)
    }
    var returns: [Return] = []
    ThreadSkeleton.main(source: source) { returns.append(Return(result: $0, date: clock.now - start)) }
    #expect(!source.isValid)
    return returns
  }

  @Test("E2, R2, R5 a thread's main goes on after a source and after ten seconds, and ends when it is stopped")
  func stopped() async throws {
    try await inManualTime { clock in
      let returns = Self.play(
        clock, at: [.seconds(3): { $0.signal() }, .seconds(25): { _ in GRunLoop.current.stop() }])
      #expect(
        returns == [
          Return(result: .handledSource, date: .seconds(3)), Return(result: .timedOut, date: .seconds(13)),
          Return(result: .timedOut, date: .seconds(23)), Return(result: .stopped, date: .seconds(25)),
        ])
    }
  }

  @Test("E2, R2, M5 a thread's main ends when it has nothing left to wait for")
  func finished() async throws {
    try await inManualTime { clock in
      let returns = Self.play(clock, at: [.seconds(12): { $0.invalidate() }])
      #expect(
        returns == [
          Return(result: .timedOut, date: .seconds(10)), Return(result: .finished, date: .seconds(12)),
        ])
    }
  }

  @Test("E2, R5, L4 another thread signals it, and stops it")
  func fromOtherThread() async throws {
    let source = GRunLoop.Source(sendableHandler: { _ in })
    let results = Log(of: GRunLoop.RunResult.self)
    let loops = Gate<GRunLoop>()
    let thread = TestThread {
      loops.open(.current)
      ThreadSkeleton.main(source: source) { results.append($0) }
    }
    let loop = loops.wait()
    source.signal()
    #expect(eventually { results.entries.last == .handledSource })
    // In a run of its own accord: one that comes between two runs is not remembered. A perform without a delay would
    // count as a source, and the run return for that.
    loop.perform(inModes: [.default], after: .zero) { loop.stop() }
    thread.join()
    #expect(results.entries.last == .stopped)
  }
}
