import GLibRunLoop
import Testing

/// Work whose priority is not the default one, and what comes between its becoming ready and its turn.
@Suite struct PerformPriorityNestedTests {
  @Test("R6, R10 a nested run has what the outer batch of its priority has not run yet", arguments: Driver.allCases)
  func batch(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let source = GRunLoop.Source(priority: .idle) { _ in log.append("source") }
      loop.add(source, forMode: .common)
      loop.perform(priority: .idle) {
        log.append("outer")
        for _ in 0..<10 { loop.run(mode: .modalPanel, for: .milliseconds(1)) }
        log.append("back")
      }
      loop.perform(priority: .idle) { log.append("next") }
      loop.perform(inModes: [.default], priority: .idle) { log.append("default only") }
      source.signal()
      loop.perform(inModes: [.default], priority: .low) { drive.quit() }
      drive.run()
      drive.poll()
      source.invalidate()
      #expect(log.entries.first == "outer")
      #expect(log.entries.suffix(2) == ["back", "default only"])
      #expect(log.entries.dropFirst().prefix(2).sorted() == ["next", "source"])
      #expect(log.count == 5)
    }
  }

  @Test("M2, R10 a source whose mode is left before its turn waits for its mode", arguments: Driver.allCases)
  func source(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let source = GRunLoop.Source(priority: .idle) { _ in log.append("source") }
      loop.add(source, forMode: .default)
      // Before its turn comes, it changes to another mode; its turn is for nothing then.
      Foreign.idle(priority: 100) {
        log.append("left")
        loop.remove(source, forMode: .default)
        loop.add(source, forMode: "private")
        return false
      }.attach(to: loop.context)
      source.signal()
      loop.perform(inModes: [.default], priority: .low) { drive.quit() }
      drive.run()
      #expect(log.entries == ["left"])
      for _ in 0..<5 { loop.run(mode: "private", for: .zero) }
      #expect(log.entries == ["left", "source"])
      source.invalidate()
    }
  }

  @Test("T2, R10 a timer that is moved before its turn fires on its new date", arguments: Driver.allCases)
  func timer(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let timer = GRunLoop.Timer(fireDate: .now, priority: .idle) { timer in
        #expect(.now >= timer.fireDate)
        log.append("timer")
        drive.quit()
      }
      Foreign.idle(priority: 100) {
        log.append("moved")
        timer.fireDate = .now + .milliseconds(20)
        return false
      }.attach(to: loop.context)
      let start = GRunLoop.Instant.now
      loop.add(timer, forMode: .default)
      drive.run()
      #expect(log.entries == ["moved", "timer"])
      #expect(.now - start >= .milliseconds(20))
    }
  }
}
