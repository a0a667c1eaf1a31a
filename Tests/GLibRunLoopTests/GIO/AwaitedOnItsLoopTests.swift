import CGLib
import GLibRunLoop
import RunLoopGIO
import Testing

@Suite struct AwaitedOnItsLoopTests {
  @Test("C7 what a pinned actor awaits completes on its loop and is finished there", arguments: Driver.allCases)
  func pinnedActor(_ driver: Driver) async throws {
    let value = try await onDrivenActor(driver) { actor in
      let operation = StepwiseOperation()
      let loop = actor.loop
      return try await operation.value {
        #expect(loop.isCurrent)
        #expect(operation.context == loop.context)
        Task.detached { operation.complete(with: 7) }
      } finishing: {
        #expect(loop.isCurrent)
      }
    }
    #expect(value == 7)
  }

  @Test("C7 so does what a task awaits that prefers a loop", arguments: Driver.allCases)
  func taskPreference(_ driver: Driver) async throws {
    let worker = DrivenWorker(driver)
    let loop = worker.loop
    let value = try await withTaskExecutorPreference(loop) {
      let operation = StepwiseOperation()
      return try await operation.value {
        #expect(operation.context == loop.context)
        Task.detached { operation.complete(with: 8) }
      } finishing: {
        #expect(loop.isCurrent)
      }
    }
    #expect(value == 8)
    worker.finish()
  }

  @Test("C7 many at a time, completed in any order from other threads, each give their own value")
  func many() async throws {
    let sum = try await onDrivenActor(.swift) { actor in
      let awaiting = (0..<200).map { number in
        Task {
          try await actor.run { _ in
            let operation = StepwiseOperation()
            return try await operation.value { Task.detached { operation.complete(with: number) } }
          }
        }
      }
      var sum = 0
      for task in awaiting { sum += try await task.value }
      return sum
    }
    #expect(sum == 199 * 200 / 2)
  }

  @Test("C7, L3 on a context that other code runs it completes there", arguments: [false, true])
  func adoptedContext(_ isThreadDefault: Bool) async throws {
    let host = GLibThread(isThreadDefault: isThreadDefault)
    let loop = GRunLoop.loop(for: host.context)
    let context = try await LoopActor(loop).run { actor in
      let operation = StepwiseOperation()
      nonisolated(unsafe) var context: OpaquePointer?
      _ = try await operation.value {
        context = operation.context
        operation.complete(with: 0)
      }
      return UInt(bitPattern: context)
    }
    #expect(context == UInt(bitPattern: host.context))
    host.finish()
  }
}
