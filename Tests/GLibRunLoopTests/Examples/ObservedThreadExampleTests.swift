import GLibRunLoop
import Testing

@Suite struct ObservedThreadExampleTests {
  @Test("E1, O1, O4 a thread that observes its loop runs it ten times for a second, with a timer of 0.1 s")
  func tenSeconds() async throws {
    try await inManualTime { clock in
      let start = clock.now
      var runs: [[GRunLoop.Activities]] = []
      var dates: [Duration] = []
      ObservedThread.main(
        observed: { activity in
          if activity == .entry { runs.append([]) }
          runs[runs.count - 1].append(activity)
        },
        fired: { dates.append(clock.now - start) })
      #expect(clock.now - start == .seconds(10))
      #expect(dates == (1...100).map { .milliseconds(100) * $0 })
      #expect(runs.count == 10)
      let sleep: [GRunLoop.Activities] = [.beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting]
      for run in runs {
        #expect(run.first == .entry && run.last == .exit)
        // One sleep for each of the timer's dates; the last of them is also the run's end.
        #expect(Array(run[1...40]) == (1...10).flatMap { _ in sleep })
      }
    }
  }

  @Test("E1, M5, O2 afterwards nothing of it is left in the loop")
  func leavesNothing() async throws {
    try await inManualTime { clock in
      var calls = 0
      ObservedThread.main(observed: { _ in calls += 1 }, fired: { calls += 1 })
      calls = 0
      #expect(clock.loop.run(mode: .default, for: .seconds(1)) == .finished)
      #expect(calls == 0)
    }
  }
}
