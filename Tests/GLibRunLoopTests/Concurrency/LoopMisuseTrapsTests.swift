import GLibRunLoop
import Testing

/// Programming errors end the program with a line that says what to do.
@Suite struct LoopMisuseTrapsTests {
  @Test("C3 a task that uses a loop that has ended traps, and says what to do")
  func endedLoop() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let worker = LoopWorker()
      let loop = worker.loop
      worker.finish()
      await Task(executorPreference: loop) {}.value
    }
    expectMessage("keep its thread running", in: result)
  }

  @Test("C3 assumeIsolated off the loop's thread traps")
  func wrongThread() async {
    await #expect(processExitsWith: .failure) {
      let worker = LoopWorker()
      let counter = PinnedCounter(loop: worker.loop)
      counter.preconditionIsolated()
    }
  }

  @Test("C1, P7 a main-actor closure performed on another loop traps, and says where it belongs")
  func mainActorElsewhere() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let worker = LoopWorker()
      worker.loop.perform { @MainActor in }
    }
    expectMessage("another loop than GRunLoop.main", in: result)
  }
}
