import GLibRunLoop
import Testing

@Suite struct PriorityLevelsTests {
  @Test("R10 higher priorities first, whatever the order they were queued in", arguments: Driver.allCases)
  func levels(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      loop.perform(priority: .low) {
        log.append("low")
        drive.quit()
      }
      loop.perform(priority: .idle) { log.append("idle") }
      loop.perform(priority: .highIdle) { log.append("highIdle") }
      Foreign.idle(priority: 110) {
        log.append("layout")
        return false
      }.attach(to: loop.context)
      loop.perform { log.append("default") }
      drive.run()
      #expect(log.entries == ["default", "highIdle", "layout", "idle", "low"])
    }
  }

  @Test(
    "R10 work of a high priority comes before what foreign sources of the default one have", arguments: Driver.allCases)
  func high(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      // The priority is made known first.
      loop.perform(priority: .high) { drive.quit() }
      drive.run()
      loop.perform(priority: .high) { log.append("high") }
      Foreign.idle {
        log.append("foreign")
        drive.quit()
        return false
      }.attach(to: loop.context)
      drive.run()
      #expect(log.entries == ["high", "foreign"])
    }
  }
}
