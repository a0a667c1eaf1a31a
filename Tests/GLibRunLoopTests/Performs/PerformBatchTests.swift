import GLibRunLoop
import Testing

@Suite struct PerformBatchTests {
  @Test("P1 a pass runs all that were queued when it began, not one")
  func all() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: Int.self)
      for index in 0..<10_000 { loop.perform { log.append(index) } }
      loop.run(mode: .default, for: .zero)
      #expect(log.count == 10_000)
    }
  }

  @Test("P1 also when GLib drives: between two observers of a pass's beginning", arguments: Driver.allCases)
  func inOneTurn(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      log.watch(.beforeSources)
      for _ in 0..<100 { drive.loop.perform { log.append("perform") } }
      drive.loop.perform { drive.quit() }
      drive.run()
      let turn = log.entries.drop { $0 != "perform" }.prefix { $0 == "perform" }
      #expect(turn.count == 100)
    }
  }

  @Test("P2 what a perform queues runs in a later pass", arguments: Driver.allCases)
  func laterPass(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      log.watch(.beforeTimers)
      let source = GRunLoop.Source { _ in log.append("source") }
      loop.add(source, forMode: .default)
      source.signal()
      loop.perform {
        log.append("first")
        loop.perform {
          log.append("second")
          loop.perform(inModes: [.default], order: -1) {
            log.append("third")
            drive.quit()
          }
        }
      }
      loop.perform { log.append("beside the first") }
      drive.run()
      // A source that fires gives performs another turn in the pass: not these.
      let expected = [
        "first", "beside the first", "source", "beforeTimers", "second", "beforeTimers", "third",
      ]
      #expect(Array(log.entries.drop { $0 != "first" }.prefix(expected.count)) == expected)
    }
  }

  @Test("P2 one pass of a self-reposting perform is one call")
  func selfReposting() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: Int.self)
      @Sendable func repost() {
        log.append(1)
        loop.perform { repost() }
      }
      repost()
      for pass in 2...20 {
        loop.run(mode: .default, for: .zero)
        #expect(log.count == pass)
      }
    }
  }

  @Test(
    "P1, R6 what a batch has not run yet when one of it runs the loop is run there, once, in order",
    arguments: Driver.allCases, [true, false])
  func nestedRun(_ driver: Driver, anchored: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      if anchored { loop.add(GRunLoop.Source { _ in }, forMode: .modalPanel) }
      loop.perform {
        log.append("1[")
        loop.run(mode: .modalPanel, for: .zero)
        log.append("]1")
      }
      loop.perform(inModes: [.default]) { log.append("2 default") }
      loop.perform { log.append("3") }
      loop.perform(order: 1) { log.append("4") }
      loop.perform(inModes: [.default], order: 2) { drive.quit() }
      drive.run()
      drive.poll()
      #expect(log.entries == ["1[", "3", "4", "]1", "2 default"])
    }
  }
}
