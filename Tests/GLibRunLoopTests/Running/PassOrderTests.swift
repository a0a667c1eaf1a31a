import GLibRunLoop
import Testing

@Suite struct PassOrderTests {
  @Test(
    "R1 observers, performs, signalled sources, performs again; timers and performs without a sleep; then the sleep",
    arguments: Driver.allCases)
  func order(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      log.watch([.beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting])

      loop.add(
        GRunLoop.Timer(fireDate: .now) { _ in
          log.append("due timer")
          loop.perform { log.append("due timer's perform") }
        }, forMode: .default)
      loop.addTimerThatEndsSleeps { _ in
        log.append("timer")
        loop.perform {
          log.append("timer's perform")
          drive.quit()
        }
      }
      let source = GRunLoop.Source { _ in
        log.append("source")
        loop.perform { log.append("source's perform") }
      }
      loop.add(source, forMode: .default)
      source.signal()
      loop.perform { log.append("perform") }
      drive.run()

      let first = [
        "beforeTimers", "beforeSources", "perform", "source", "source's perform", "due timer", "due timer's perform",
      ]
      let second = [
        "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting", "timer", "timer's perform",
      ]
      #expect(Array(log.entries.prefix(first.count + second.count)) == first + second)
    }
  }

  @Test("R1 without a fired source the pass has one turn for performs before the sleep", arguments: Driver.allCases)
  func noSecondTurn(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      log.watch([.beforeTimers, .beforeWaiting])
      loop.perform {
        log.append("perform")
        loop.perform {
          log.append("later perform")
          drive.quit()
        }
      }
      drive.run()
      #expect(Array(log.entries.prefix(4)) == ["beforeTimers", "perform", "beforeTimers", "later perform"])
    }
  }
}
