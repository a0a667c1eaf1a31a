import GLibRunLoop
import Testing

@Suite(.patient) struct AwaitedPerformEndTests {
  @Test("C5, L5 on a loop that has ended it throws")
  func ended() async {
    let worker = LoopWorker()
    let loop = worker.loop
    worker.finish()
    await #expect(throws: GRunLoop.Failure.ended) { try await loop.performAndWait { Issue.record("it ran") } }
  }

  @Test("C5, L5 when the loop ends while one waits, it throws", arguments: Driver.allCases)
  func ends(_ driver: Driver) async throws {
    let worker = DrivenWorker(driver)
    let loop = worker.loop
    let task = Task { try await loop.performAndWait(inModes: ["never"]) { Issue.record("it ran") } }
    while !loop.debugDescription.contains("mode never: 0 items, performs queued") { await Task.yield() }
    worker.finish()
    await #expect(throws: GRunLoop.Failure.ended) { try await task.value }
  }

  @Test("C5, L5 the end may come at any moment: nobody hangs")
  func race() async throws {
    for round in 0..<100 {
      let worker = LoopWorker()
      let loop = worker.loop
      let task = Task {
        for _ in 0..<1000 { try await loop.performAndWait {} }
        return round
      }
      for _ in 0..<round % 5 { await Task.yield() }
      worker.finish()
      await #expect(throws: GRunLoop.Failure.ended) { try await task.value }
    }
  }
}
