import GLibRunLoop
import Glibc
import Testing

@Suite struct ThreadEndsInCallbackTests {
  /// What ends the thread.
  enum Ending: CaseIterable, Sendable { case perform, waited, timer, source }

  @Test(
    "L9 a call-back that ends its thread ends the loop: who waits for what was taken, or for that very call, is told",
    arguments: Ending.allCases)
  func endsInCallback(_ ending: Ending) async throws {
    try await onLoopThread {
      let (ready, gate) = (Gate<GRunLoop>(), Gate<Void>())
      let life = LifeCount()
      let worker = TestThread {
        let loop = GRunLoop.current
        loop.add(GRunLoop.Source { _ in }, forMode: .default)
        ready.open(loop)
        loop.run()
      }
      let loop = ready.wait()
      // Holds the loop until all is queued, so that one batch has it.
      loop.perform { gate.wait() }
      let failures = Log(of: GRunLoop.Failure?.self)
      func wait(_ body: @escaping @Sendable () -> Void) -> TestThread {
        TestThread {
          do {
            try loop.performAndWait { body() }
            failures.append(nil)
          } catch { failures.append(error as? GRunLoop.Failure) }
        }
      }
      var waiting: [TestThread] = []
      switch ending {
      case .perform: loop.perform { pthread_exit(nil) }
      case .waited:
        waiting.append(wait { pthread_exit(nil) })
        usleep(20_000)
      case .timer:
        loop.add(GRunLoop.Timer(fireDate: .now, sendableHandler: { _ in pthread_exit(nil) }), forMode: .default)
        // Behind the timer's pass.
        loop.perform(inModes: ["never"]) {}
      case .source:
        let source = GRunLoop.Source(sendableHandler: { _ in pthread_exit(nil) })
        loop.add(source, forMode: .default)
        source.signal()
      }
      let token = life.token()
      if ending == .perform || ending == .waited { waiting.append(wait { token.touch() }) }
      usleep(20_000)
      gate.open()
      worker.join()
      for thread in waiting { thread.join() }
      #expect(failures.entries.allSatisfy { $0 == .ended } && failures.count == waiting.count)
      #expect(throws: GRunLoop.Failure.ended) { try loop.performAndWait {} }
    }
  }

  @Test("L11 a loop that ends while another thread is about to wake it waits asleep")
  func endSleeps() async throws { try await runScenario("EndSleeps") }
}
