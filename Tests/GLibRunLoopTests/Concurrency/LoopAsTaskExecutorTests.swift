import GLibRunLoop
import Glibc
import Testing

@Suite struct LoopAsTaskExecutorTests {
  @Test("C3 a task that prefers a loop runs on its thread, after every await too", arguments: Driver.allCases)
  func preferred(_ driver: Driver) throws {
    try onLoopThread {
      let drive = Drive(driver)
      let thread = pthread_self()
      let log = Log(of: String.self)
      Task(executorPreference: drive.loop) {
        #expect(pthread_self() == thread)
        log.append("begins")
        try await Task.sleep(for: .milliseconds(2))
        #expect(pthread_self() == thread)
        log.append("slept")
        await Elsewhere().hop(from: thread)
        #expect(pthread_self() == thread)
        async let child: Void = expectSame(thread)
        await child
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<10 { group.addTask { #expect(pthread_self() == thread) } }
        }
        log.append("ends")
        drive.quit()
      }
      drive.run()
      #expect(log.entries == ["begins", "slept", "ends"])
    }
  }

  @Test("C3 withTaskExecutorPreference takes a task to a worker's loop and back")
  func takenThere() async {
    let worker = LoopWorker()
    let loop = worker.loop
    #expect(!loop.isCurrent)
    await withTaskExecutorPreference(loop) {
      await expectOn(loop)
      await Task.yield()
      await expectOn(loop)
    }
    #expect(!loop.isCurrent)
    worker.finish()
  }
}

/// A main-actor isolated hop away and back would need the first thread; any actor with an executor of its own will do.
private actor Elsewhere {
  private let worker = LoopWorker()

  nonisolated var unownedExecutor: UnownedSerialExecutor { worker.loop.asUnownedSerialExecutor() }

  func hop(from thread: pthread_t) { #expect(pthread_self() != thread) }

  deinit {
    let worker = worker
    TestThread { worker.finish() }.join()
  }
}

@concurrent private func expectSame(_ thread: pthread_t) async { #expect(pthread_self() == thread) }

@concurrent private func expectOn(_ loop: GRunLoop) async { #expect(loop.isCurrent) }
