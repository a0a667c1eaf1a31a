import GLibRunLoop
import Testing

@Suite struct ActorInNestedRunTests {
  actor Account: GRunLoop.PinnedActor {
    nonisolated let loop: GRunLoop
    private var isInside = false
    private(set) var overlaps = 0
    private(set) var calls = 0

    init(loop: GRunLoop) { self.loop = loop }

    /// Runs the loop without an await, until it is told that it is over.
    func pump(_ hasBegun: Locked<Bool>, _ isOver: Locked<Bool>) {
      isInside = true
      hasBegun.withLock { $0 = true }
      while !isOver.withLock({ $0 }) { loop.run(mode: .default, for: .milliseconds(1)) }
      isInside = false
    }

    func call() {
      if isInside { overlaps += 1 }
      calls += 1
    }
  }

  @Test("C9 while a job of an actor runs the loop, no other job of it begins there, and none is lost")
  func isIsolated() async throws {
    let worker = LoopWorker()
    let account = Account(loop: worker.loop)
    let (hasBegun, isOver) = (Locked(false), Locked(false))
    let pump = Task.detached { await account.pump(hasBegun, isOver) }
    // No thread of the pool is blocked: there may be two only.
    while !hasBegun.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
    let others = (0..<10).map { _ in Task.detached { await account.call() } }
    // Performs go on in the nested run; what was queued with them was looked at.
    for _ in 0..<20 { _ = try await worker.loop.performAndWait { true } }
    isOver.withLock { $0 = true }
    for task in others + [pump] { await task.value }
    #expect(await account.overlaps == 0)
    #expect(await account.calls == 10)
    worker.finish()
  }
}
