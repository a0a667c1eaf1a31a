import GLibRunLoop
import Testing

@Suite(.patient) struct ActivitySequenceTests {
  @Test("C6, O4, O5 a loop's activities are an asynchronous sequence, in order", arguments: Driver.allCases)
  func activities(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      var activities = loop.activities([.beforeTimers, .beforeSources], keeping: 1000).makeAsyncIterator()
      loop.wakeUp()
      var seen: [GRunLoop.Activities] = []
      while seen.count < 6, let activity = await activities.next() {
        seen.append(activity)
        loop.wakeUp()
      }
      if seen.first == .beforeSources { seen.removeFirst() } else { seen.removeLast() }
      #expect(seen.map(\.name) == ["beforeTimers", "beforeSources", "beforeTimers", "beforeSources", "beforeTimers"])
    }
  }

  @Test("C6 the newest are kept, as many as asked", arguments: Driver.allCases)
  func keeping(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      var exits = loop.activities([.entry, .exit], keeping: 3, inModes: ["nested"]).makeAsyncIterator()
      try await loop.performAndWait {
        loop.perform(inModes: ["nested"]) {}
        loop.run(mode: "nested", for: .zero)
        loop.perform(inModes: ["nested"]) {}
        loop.run(mode: "nested", for: .zero)
      }
      var seen: [String] = []
      for _ in 0..<3 { seen.append(await exits.next()!.name) }
      #expect(seen == ["exit", "entry", "exit"])
    }
  }
}
