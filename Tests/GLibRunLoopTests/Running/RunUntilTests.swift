import GLibRunLoop
import Testing

@Suite struct RunUntilTests {
  @Test("R4 run(until:) goes on until the date, however many sources it handles")
  func untilDate() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      let source = GRunLoop.Source { _ in log.append("source") }
      loop.add(source, forMode: .default)
      let timer = GRunLoop.Timer(interval: .milliseconds(2), repeats: true) { _ in
        if log.count < 5 { source.signal() }
      }
      loop.add(timer, forMode: .default)
      var rounds = 0
      while log.count < 5, rounds < 1000 {
        let limit = GRunLoop.Instant.now.advanced(by: .milliseconds(40))
        loop.run(until: limit)
        #expect(.now >= limit)
        rounds += 1
      }
      #expect(log.count == 5)
    }
  }

  @Test("R4 run() and run(until:) return when the mode has become empty", arguments: [true, false])
  func emptied(withDate: Bool) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      let source = GRunLoop.Source { source in
        log.append("source")
        source.invalidate()
      }
      loop.add(source, forMode: .default)
      let timer = GRunLoop.Timer(interval: .milliseconds(5)) { _ in
        log.append("timer")
        source.signal()
      }
      loop.add(timer, forMode: .default)
      loop.perform { log.append("perform") }
      let limit = GRunLoop.Instant.now.advanced(by: .seconds(3600))
      if withDate { loop.run(until: limit) } else { loop.run() }
      #expect(log.entries == ["perform", "timer", "source"])
      #expect(.now < limit)
    }
  }

  @Test("R4 both return at once from an empty mode, no observer called")
  func empty() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch(.all)
      loop.run()
      loop.run(until: .distantFuture)
      loop.run(until: .distantPast)
      #expect(log.entries.isEmpty)
    }
  }

  @Test("R4 a date in the past handles all that is pending now, and nothing else")
  func pump() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      for work in Work.allCases { work.makeReady { log.append("\(work)") } }
      loop.add(GRunLoop.Timer(interval: .seconds(1000)) { _ in log.append("early") }, forMode: .default)
      loop.run(until: .distantPast)
      #expect(Set(log.entries) == Set(Work.allCases.map { "\($0)" }))
      #expect(log.count == Work.allCases.count)
      loop.perform { log.append("again") }
      loop.run(until: .now.advanced(by: .seconds(-1)))
      #expect(log.entries.last == "again")
    }
  }

  @Test("R4 both run the default mode")
  func defaultMode() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: GRunLoop.Mode?.self)
      loop.perform { log.append(loop.currentMode) }
      loop.run()
      loop.perform { log.append(loop.currentMode) }
      loop.run(until: .distantFuture)
      #expect(log.entries == [.default, .default])
    }
  }
}
