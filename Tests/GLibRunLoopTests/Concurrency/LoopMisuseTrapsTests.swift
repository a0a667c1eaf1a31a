import GLibRunLoop
import Testing

/// Programming errors end the program with a line that says what to do.
@Suite struct LoopMisuseTrapsTests {
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
