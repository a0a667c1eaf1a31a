import GLibRunLoop
import Testing

@Suite struct PerformPriorityModesTests {
  @Test(
    "P1, R10 a perform of another priority keeps to its modes", arguments: [.high, .idle, 42] as [GRunLoop.Priority])
  func modes(priority: GRunLoop.Priority) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      loop.perform(inModes: ["a", "b"], priority: priority) { log.append("a or b") }
      loop.perform(priority: priority) { log.append("common") }
      // Until the loop comes to rest: work of another priority may need a turn of its own.
      for _ in 0..<3 { loop.run(mode: "b", for: .zero) }
      #expect(log.entries == ["a or b"])
      for _ in 0..<3 { loop.run(mode: .modalPanel, for: .zero) }
      #expect(log.entries == ["a or b", "common"])
      #expect(loop.run(mode: "a", for: .zero) == .finished)
    }
  }

  @Test("P1, R10 those of one priority run in the order queued, the lower order first", arguments: Driver.allCases)
  func order(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: Int.self)
      for index in 0..<50 { drive.loop.perform(priority: .idle) { log.append(index) } }
      drive.loop.perform(order: -1, priority: .idle) { log.append(-1) }
      drive.loop.perform(priority: .low) { drive.quit() }
      drive.run()
      #expect(log.entries == Array(-1..<50))
    }
  }
}
