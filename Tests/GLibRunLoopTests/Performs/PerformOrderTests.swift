import GLibRunLoop
import Testing

@Suite struct PerformOrderTests {
  @Test("P1 each runs once, in the order queued", arguments: Driver.allCases)
  func orderQueued(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: Int.self)
      for index in 0..<1000 { drive.loop.perform { log.append(index) } }
      drive.loop.perform { drive.quit() }
      drive.run()
      drive.poll()
      #expect(log.entries == Array(0..<1000))
    }
  }

  @Test("P1 in the order queued, whichever of the running modes they are for", arguments: Driver.allCases)
  func acrossModes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: Int.self)
      let modes: [[GRunLoop.Mode]] = [
        [.common], [.default], [.default, .common], ["other", .default], [.common, "other"],
      ]
      for index in 0..<100 {
        drive.loop.perform(inModes: modes[index % modes.count]) { log.append(index) }
      }
      drive.loop.perform { drive.quit() }
      drive.run()
      drive.poll()
      #expect(log.entries == Array(0..<100))
    }
  }

  @Test("P1 the lower order goes first, equal orders as queued", arguments: Driver.allCases)
  func orders(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      drive.loop.perform(order: 5) { log.append("5") }
      drive.loop.perform { log.append("0 a") }
      drive.loop.perform(inModes: [.default], order: .min) { log.append("min") }
      drive.loop.perform(order: 5) { log.append("5 b") }
      drive.loop.perform(inModes: [.default, .common]) { log.append("0 b") }
      drive.loop.perform(order: .max) { drive.quit() }
      drive.run()
      #expect(log.entries == ["min", "0 a", "0 b", "5", "5 b"])
    }
  }

  @Test("P1 from many threads: none lost, none twice, each thread's in its order", arguments: Driver.allCases)
  func manyThreads(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let (threads, each) = (4, 5000)
      let log = Log(of: (thread: Int, index: Int).self)
      let workers = (0..<threads).map { thread in
        TestThread {
          for index in 0..<each {
            loop.perform {
              log.append((thread, index))
              if log.count == threads * each { drive.quit() }
            }
          }
        }
      }
      drive.run(limit: .seconds(100))
      for worker in workers { worker.join() }
      drive.poll()
      let entries = log.entries
      #expect(entries.count == threads * each)
      for thread in 0..<threads {
        let isInOrder = entries.filter { $0.thread == thread }.map(\.index) == Array(0..<each)
        #expect(isInOrder)
      }
    }
  }
}
