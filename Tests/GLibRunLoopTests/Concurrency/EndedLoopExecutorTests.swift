import GLibRunLoop
import Testing

/// What Swift concurrency does with a loop that has ended goes on elsewhere.
@Suite(.patient) struct EndedLoopExecutorTests {
  @Test("C10 a task that prefers a loop that has ended goes on elsewhere, after every await too")
  func task() async {
    let loop = endedLoop()
    let log = Log(of: Int.self)
    await Task(executorPreference: loop) {
      for number in 0..<100 {
        log.append(number)
        await Task.yield()
      }
      await withTaskGroup { group in for number in 100..<200 { group.addTask { log.append(number) } } }
    }.value
    #expect(log.entries.sorted() == Array(0..<200))
  }

  @Test("C10 an actor that is pinned to one goes on, one job at a time and isolated")
  func pinned() async throws {
    let tally = Tally(loop: endedLoop())
    await withTaskGroup { group in
      for _ in 0..<1000 { group.addTask { await tally.add() } }
    }
    #expect(await tally.count == 1000)
  }

  @Test("C10 an actor's isolated deinit comes after its loop's end, too, and is isolated")
  func isolatedDeinit() async {
    let loop = endedLoop()
    let freed = AsyncStream.makeStream(of: Bool.self)
    for _ in 0..<10 { _ = Mortal(loop: loop) { freed.continuation.yield($0) } }
    var count = 0
    for await isIsolated in freed.stream {
      #expect(isIsolated)
      count += 1
      if count == 10 { break }
    }
  }

  @Test("C10 the end may come at any moment: every job runs once, and no two of an actor's at a time")
  func race() async throws {
    for round in 0..<200 {
      let worker = LoopWorker()
      let tally = Tally(loop: worker.loop)
      let tasks = (0..<4).map { number in
        Task(executorPreference: number == 0 ? worker.loop as any TaskExecutor : nil) {
          for _ in 0..<100 { await tally.add() }
        }
      }
      for _ in 0..<round % 7 { await Task.yield() }
      worker.finish()
      for task in tasks { await task.value }
      #expect(await tally.count == 400)
    }
  }

  @Test("C10, C3 while a loop ends, its thread is the actor's; after that it is not")
  func handover() async {
    let log = Log(of: Bool.self)
    let tally = Gate<Tally>()
    let worker = LoopWorker { loop in
      let counted = Tally(loop: loop)
      // Freed on the thread, at the loop's end.
      let last = AtEnd { log.append(counted.isIsolatedHere) }
      loop.add(GRunLoop.Source { _ in last.touch() }, forMode: .common)
      tally.open(counted)
    }
    let counted = tally.wait()
    worker.finish()
    #expect(log.entries == [true])
    #expect(!counted.isIsolatedHere)
    #expect(await counted.isIsolatedInJob)
  }

  private func endedLoop() -> GRunLoop {
    let worker = LoopWorker()
    worker.finish()
    return worker.loop
  }
}

/// What it counts is wrong if two of its jobs overlap.
private actor Tally: GRunLoop.PinnedActor {
  nonisolated let loop: GRunLoop
  private(set) var count = 0
  private var isBusy = false

  init(loop: GRunLoop) { self.loop = loop }

  func add() {
    #expect(!isBusy)
    isBusy = true
    preconditionIsolated()
    count += 1
    isBusy = false
  }

  nonisolated var isIsolatedHere: Bool { loop.isIsolatingCurrentContext() == true }
  var isIsolatedInJob: Bool { isIsolatedHere }
}

private actor Mortal: GRunLoop.PinnedActor {
  nonisolated let loop: GRunLoop
  private let told: @Sendable (Bool) -> Void

  init(loop: GRunLoop, _ told: @escaping @Sendable (Bool) -> Void) {
    self.loop = loop
    self.told = told
  }

  isolated deinit { told(loop.isIsolatingCurrentContext() == true) }
}

private final class AtEnd {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  func touch() {}

  deinit { body() }
}
