import GLibRunLoop
import Testing

@Suite struct SpinDurationTests {
  @Test("R8 a loop does not spin unless it is asked to; the length is kept, and a negative one is none")
  func kept() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      #expect(loop.spinDuration == .zero)
      loop.spinDuration = .microseconds(30)
      #expect(loop.spinDuration == .microseconds(30))
      loop.spinDuration = .seconds(Int64.max)
      #expect(loop.spinDuration == .nanoseconds(Int64.max))
      loop.spinDuration = .milliseconds(-1)
      #expect(loop.spinDuration == .zero)
    }
  }

  @Test("L4 it is set by any thread, while the loop spins and while it sleeps")
  func fromThreads() async throws {
    let worker = LoopWorker()
    let rounds = 500
    let ran = Log(of: Int.self)
    let threads = (1...2).map { index in
      TestThread {
        for round in 0..<rounds {
          worker.loop.spinDuration = .microseconds(round % 3 * index)
          try! worker.loop.performAndWait { ran.append(round) }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(ran.count == 2 * rounds)
    TestThread { worker.loop.spinDuration = .microseconds(7) }.join()
    #expect(worker.loop.spinDuration == .microseconds(7))
    worker.finish()
  }
}
