import GLibRunLoop
import Testing

@Suite(.patient) struct AwaitedBackgroundTests {
  @Test(
    "A1 awaited background work gives its value or throws its error",
    arguments: pairs(Driver.allCases, WorkerKind.allCases))
  func outcome(_ driver: Driver, _ kind: WorkerKind) async throws {
    try await withDrivenLoop(driver) { loop in
      let value = try await loop.background(worker: kind.worker) { (_: GRunLoop.Reporter<Never>) in
        #expect(!loop.isCurrent)
        return Parcel(42)
      } sendableProgress: { _ in
      }
      #expect(value.content == 42)
      await #expect(throws: Refusal.again) {
        try await loop.background(worker: kind.worker) { (_: GRunLoop.Reporter<Never>) in
          throw Refusal.again
        } sendableProgress: { _ in
        }
      }
      #expect(loop.count(of: "Source") == 1, "the driver's own")
    }
  }

  @Test("A4 cancelling the task cancels the work, which is waited for; one that is cancelled already does not begin")
  func cancelled() async throws {
    try await withDrivenLoop(.swift) { loop in
      let log = Log(of: String.self)
      let task = Task {
        try await loop.background { report in
          report("begun")
          do { try await Task.sleep(for: .seconds(3600)) } catch { log.append("tidied up") }
          report("ignored")
          try Task.checkCancellation()
        } sendableProgress: { (update: String) in
          log.append(update)
        }
      }
      while log.count == 0 { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(log.entries == ["begun", "tidied up"])
      await #expect(throws: CancellationError.self) {
        withUnsafeCurrentTask { $0?.cancel() }
        try await loop.background { (_: GRunLoop.Reporter<Never>) in
          log.append("ran")
        } sendableProgress: { _ in
        }
      }
      #expect(log.count == 2)
    }
  }

  @Test("A3, C3 on the loop's thread progress may touch what belongs there", arguments: Driver.allCases)
  func residents(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let painter = Painter(loop: loop)
      let picture = try await painter.paint()
      #expect(picture == "painted")
      #expect(await painter.seen == [3])
    }
  }

  @Test("A1 off the loop's thread that is refused with a line that says so")
  func elsewhere() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = LoopWorker().loop
      try await loop.background { (_: GRunLoop.Reporter<Int>) in
      } progress: { _ in
      }
    }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("use sendableProgress"))
  }

  private actor Painter: GRunLoop.PinnedActor {
    nonisolated let loop: GRunLoop
    private(set) var seen: [Int] = []

    init(loop: GRunLoop) { self.loop = loop }

    func paint() async throws -> String {
      let arrived = Gate<Void>()
      return try await loop.background { report in
        report(3)
        arrived.wait()
        return "painted"
      } progress: { (update: Int) in
        self.assumeIsolated { $0.seen.append(update) }
        arrived.open()
      }
    }
  }

  private enum Refusal: Error { case again }

  private final class Parcel {
    let content: Int
    init(_ content: Int) { self.content = content }
  }
}
