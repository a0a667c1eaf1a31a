import GLibRunLoop
import Glibc
import Testing

@Suite struct LoopAsTaskExecutorTests {
  @Test("C3 a task that prefers a loop runs on its thread, after every await too", arguments: Driver.allCases)
  func preferred(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let other = LoopWorker()
      let elsewhere = PinnedCounter(loop: other.loop)
      let thread = pthread_self()
      let log = Log(of: String.self)
      Task(executorPreference: drive.loop) {
        #expect(pthread_self() == thread)
        log.append("begins")
        try await Task.sleep(for: .milliseconds(2))
        #expect(pthread_self() == thread)
        log.append("slept")
        _ = await elsewhere.value
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
      other.finish()
      #expect(log.entries == ["begins", "slept", "ends"])
    }
  }

  @Test("C3 tasks begin in the order they were made, and never before the loop turns", arguments: Driver.allCases)
  func order(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: Int.self)
      for number in 0..<10 {
        Task(executorPreference: drive.loop) {
          log.append(number)
          if number == 9 { drive.quit() }
        }
      }
      #expect(log.entries.isEmpty)
      drive.run()
      #expect(log.entries == Array(0..<10))
    }
  }

  @Test("C3, L5 a task whose turn has not come when the loop ends is not left hanging")
  func queuedAtEnd() async throws {
    let task = try await onLoopThread { Task(executorPreference: GRunLoop.current) { 42 } }
    #expect(await task.value == 42)
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

@concurrent private func expectSame(_ thread: pthread_t) async { #expect(pthread_self() == thread) }

@concurrent private func expectOn(_ loop: GRunLoop) async { #expect(loop.isCurrent) }
