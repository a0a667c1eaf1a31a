import GLibRunLoop
import Testing

@Suite(.patient) struct AwaitedPerformCancelTests {
  @Test("C5 cancelling the task cancels the perform: the caller goes on at once", arguments: Driver.allCases)
  func cancelled(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let log = Log(of: String.self)
      let life = LifeCount()
      // In a mode that never runs.
      let task = Task {
        let token = life.token()
        try await loop.performAndWait(inModes: ["never"]) {
          token.touch()
          log.append("ran")
        }
      }
      while !loop.debugDescription.contains("mode never: 0 items, performs queued") { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      // It leaves the queue, and the closure is the loop's to free.
      while loop.debugDescription.contains("performs queued") { await Task.yield() }
      try await loop.performAndWait { _ = loop.run(mode: "never", for: .zero) }
      #expect(log.entries.isEmpty)
      #expect(life.value == 0)
    }
  }

  @Test("C5 a task that is cancelled already queues nothing, and runs nothing inline", arguments: [false, true])
  func before(_ isOnLoop: Bool) async throws {
    try await withDrivenLoop(.swift) { loop in
      let log = Log(of: String.self)
      let task = Task(executorPreference: isOnLoop ? loop as any TaskExecutor : nil) {
        withUnsafeCurrentTask { $0?.cancel() }
        try await loop.performAndWait { log.append("ran") }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      try await loop.settle()
      #expect(log.entries.isEmpty)
    }
  }

  @Test("C5 cancel and turn may meet at any moment: one outcome, and it is true", arguments: Driver.allCases)
  func race(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      for round in 0..<500 {
        let ran = Log(of: Int.self)
        let task = Task { try await loop.performAndWait { ran.append(round) } }
        for _ in 0..<round % 7 { await Task.yield() }
        task.cancel()
        let outcome = await task.result
        try await loop.settle()
        switch outcome {
        case .success: #expect(ran.entries == [round])
        case .failure(let error):
          #expect(error is CancellationError)
          #expect(ran.entries.isEmpty)
        }
      }
    }
  }
}
