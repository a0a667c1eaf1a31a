import GLibRunLoop
import Synchronization
import Testing

@Suite struct CallsFromAnyThreadTests {
  private static let rounds = 500

  @Test(
    "L4 many threads add, signal, remove, perform and wake at once, and nothing is lost", arguments: Driver.allCases)
  func storm(_ driver: Driver) throws {
    let worker = DrivenWorker(driver)
    let loop = worker.loop
    let counters = Counters()
    let callers = (0..<4).map { _ in TestThread { Self.load(loop, counters) } }
    for caller in callers { caller.join() }
    // After all that was queued before it.
    try loop.performAndWait {}
    #expect(counters.performed.load(ordering: .relaxed) == 4 * Self.rounds)
    #expect(counters.fired.load(ordering: .relaxed) == 4 * Self.rounds)
    #expect(counters.ticked.load(ordering: .relaxed) == 4 * Self.rounds)
    worker.finish()
  }

  private final class Counters: Sendable {
    let performed = Atomic(0)
    let fired = Atomic(0)
    let ticked = Atomic(0)
  }

  private static func load(_ loop: GRunLoop, _ counters: Counters) {
    for _ in 0..<rounds {
      loop.perform { counters.performed.add(1, ordering: .relaxed) }
      let handled = Gate<Void>()
      let source = GRunLoop.Source(sendableHandler: { _ in
        counters.fired.add(1, ordering: .relaxed)
        handled.open()
      })
      loop.add(source, forMode: .default)
      source.signal()
      let ticked = Gate<Void>()
      let timer = GRunLoop.Timer(
        fireDate: .now,
        sendableHandler: { _ in
          counters.ticked.add(1, ordering: .relaxed)
          ticked.open()
        })
      loop.add(timer, forMode: .common)
      loop.wakeUp()
      handled.wait()
      ticked.wait()
      loop.remove(source, forMode: .default)
    }
  }

  @Test("L4 a run is stopped from another thread, each time")
  func stops() throws {
    let results = Log(of: GRunLoop.RunResult.self)
    let made = Gate<GRunLoop>()
    let running = Gate<Void>()
    let thread = TestThread {
      let loop = GRunLoop.current
      // Tells of each run from inside, since a stop before it would not be remembered.
      let entry = GRunLoop.Observer(activities: .entry) { _, _ in running.open() }
      loop.add(entry, forMode: .default)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      made.open(loop)
      for _ in 0..<Self.rounds { results.append(loop.run(mode: .default, for: .seconds(30))) }
    }
    let loop = made.wait()
    for _ in 0..<Self.rounds {
      running.wait()
      loop.stop()
    }
    thread.join()
    #expect(results.count == Self.rounds)
    #expect(!results.entries.contains { $0 != .stopped }, "a stop was lost")
  }
}
