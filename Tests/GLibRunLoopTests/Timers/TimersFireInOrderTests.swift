import GLibRunLoop
import Testing

@Suite struct TimersFireInOrderTests {
  @Test("T4 all due timers fire in one pass, by date, equal dates in the order added", arguments: Driver.allCases)
  func byDate(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let date = GRunLoop.Instant.now - .milliseconds(10)
      var log: [String] = []
      func add(_ name: String, _ milliseconds: Int, mode: GRunLoop.Mode = .default, order: Int = 0) {
        let timer = GRunLoop.Timer(fireDate: date + .milliseconds(milliseconds), order: order) { _ in log.append(name) }
        drive.loop.add(timer, forMode: mode)
      }
      add("g", 3)
      add("d", 1, mode: .common)
      add("e", 1)
      add("f", 1, mode: .common)
      add("c", 1, order: -1)
      add("b", 0, order: 5)
      add("a", -1)
      for index in 0..<50 { add("h\(index)", 4, mode: index % 3 == 0 ? .common : .default) }
      let last = GRunLoop.Timer(fireDate: date + .milliseconds(5)) { _ in drive.quit() }
      drive.loop.add(last, forMode: .default)
      let passes = GRunLoop.Observer(activities: .beforeTimers) { _, _ in if !log.isEmpty { log.append("pass") } }
      drive.loop.add(passes, forMode: .default)
      drive.run()
      let expected = ["a", "b", "c", "d", "e", "f", "g"] + (0..<50).map { "h\($0)" }
      #expect(Array(log.prefix(expected.count)) == expected)
    }
  }

  @Test("T4 each is checked again just before its turn", arguments: Driver.allCases)
  func checkedAgain(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let date = GRunLoop.Instant.now - .milliseconds(10)
      var log: [String] = []
      func timer(_ name: String, _ milliseconds: Int) -> GRunLoop.Timer {
        let timer = GRunLoop.Timer(fireDate: date + .milliseconds(milliseconds)) { _ in log.append(name) }
        drive.loop.add(timer, forMode: .default)
        return timer
      }
      let (invalidated, removed, moved) = (timer("invalidated", 1), timer("removed", 1), timer("moved", 1))
      let first = GRunLoop.Timer(fireDate: date) { _ in
        log.append("first")
        invalidated.invalidate()
        drive.loop.remove(removed, forMode: .default)
        moved.fireDate = .now + .seconds(1000)
      }
      drive.loop.add(first, forMode: .default)
      let end = timer("end", 2)
      drive.run(for: .milliseconds(5))
      #expect(log == ["first", "end"])
      #expect(!end.isValid && removed.isValid && moved.isValid)
    }
  }

  @Test("T4 what becomes due during the pass waits for the next", arguments: Driver.allCases)
  func dueDuringThePass(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let drive = Drive(driver)
      var log: [String] = []
      let passes = GRunLoop.Observer(activities: .beforeTimers) { _, _ in log.append("pass") }
      drive.loop.add(passes, forMode: .default)
      let moved = GRunLoop.Timer(fireDate: .distantFuture) { _ in log.append("moved") }
      drive.loop.add(moved, forMode: .default)
      let waiting = GRunLoop.Timer(fireDate: .now + .milliseconds(10)) { _ in log.append("waited") }
      let first = GRunLoop.Timer(fireDate: .now - .milliseconds(10)) { _ in
        log.append("first")
        let new = GRunLoop.Timer(fireDate: .now - .seconds(10)) { _ in log.append("new") }
        drive.loop.add(new, forMode: .default)
        moved.fireDate = .now - .seconds(5)
        clock.spend(.milliseconds(11))
      }
      let second = GRunLoop.Timer(fireDate: .now - .milliseconds(9)) { _ in log.append("second") }
      for timer in [waiting, first, second] { drive.loop.add(timer, forMode: .default) }
      let last = GRunLoop.Timer(fireDate: waiting.fireDate + .nanoseconds(1)) { _ in drive.quit() }
      drive.loop.add(last, forMode: .default)
      drive.run()
      let index = try #require(log.firstIndex(of: "first"))
      #expect(Array(log.dropFirst(index).prefix(6)) == ["first", "second", "pass", "new", "moved", "waited"])
    }
  }
}
