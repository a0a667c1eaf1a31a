import GLibRunLoop
import Glibc
import Testing

@Suite struct CostOfManyPerformsTests {
  /// How long this thread has been running, in nanoseconds: others do not count.
  private static var processorTime: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  private static func cost(_ body: () -> Void) -> Double {
    let before = processorTime
    body()
    return Double(processorTime - before)
  }

  @Test("P10 cancelling one of many delayed performs costs no more than one of few", arguments: [true, false])
  func cancelDelayed(hasTargets: Bool) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      func cancelAll(_ count: Int) -> Double {
        let one = LifeCount().token()
        let performs = (0..<count).map { index in
          loop.perform(after: .seconds(1000), target: hasTargets ? one : nil, name: "\(index)") {}
        }
        return Self.cost { for perform in performs { perform.cancel() } } / Double(count)
      }
      _ = cancelAll(100)
      let (few, many) = (cancelAll(1000), cancelAll(30_000))
      // With a search through all of them it was thirty times as much, and more.
      #expect(many < few * 10, "\(few) ns each of 1,000, \(many) ns each of 30,000")
    }
  }

  @Test("P10 a nested run takes over the rest of a batch at no cost", arguments: Driver.allCases)
  func nestedRuns(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      /// Each nests in the one before, but for the last, so that few are on the stack at a time.
      func nest(_ depth: Int, beside others: Int) -> Double {
        let rest = Locked(others)
        var costs: [Double] = []
        for _ in 0..<3 {
          for _ in 0..<depth {
            drive.loop.perform(inModes: [.default]) { @Sendable in drive.loop.run(mode: "nested", for: .zero) }
          }
          for _ in 0..<others {
            drive.loop.perform(inModes: [.default]) { @Sendable in rest.withLock { $0 -= 1 } }
          }
          drive.loop.add(GRunLoop.Source { _ in }, forMode: "nested")
          drive.loop.perform(inModes: [.default]) { @Sendable in drive.quit() }
          costs.append(Self.cost { drive.run() })
        }
        return costs.min()!
      }
      let (few, many) = (nest(100, beside: 100), nest(100, beside: 20_000))
      // Handing all of them to each run and back took a thousand times as much.
      #expect(many < few * 50, "\(few) ns beside 100, \(many) ns beside 20,000")
    }
  }

  @Test("P1, P10 what a nested run in another mode cannot run, the outer batch goes on with, in its order")
  func restGoesOn() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: Int.self)
      loop.perform(inModes: [.default]) { @Sendable in
        log.append(0)
        loop.perform(inModes: ["nested"]) { @Sendable in log.append(10) }
        loop.run(mode: "nested", for: .zero)
      }
      for index in 1...3 {
        loop.perform(inModes: index == 2 ? [.default, "nested"] : [.default]) { @Sendable in log.append(index) }
      }
      loop.run(mode: .default, for: .zero)
      // The second one may run in the nested mode, and does so before what was queued later.
      #expect(log.entries == [0, 2, 10, 1, 3])
    }
  }
}
