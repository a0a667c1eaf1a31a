import GLibRunLoop
import Testing

@Suite struct RunBeforeTests {
  @Test("R3 returns true after one input source", arguments: [Work.source, .perform, .descriptor])
  func oneSource(_ work: Work) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      var done = 0
      work.makeReady { done += 1 }
      #expect(loop.run(mode: .default, before: .distantFuture))
      #expect(done == 1)
    }
  }

  @Test("R3 of several signalled sources one is handled in each run")
  func oneByOne() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: Int.self)
      let sources = (0..<3).map { index in GRunLoop.Source(order: index) { _ in log.append(index) } }
      for source in sources {
        loop.add(source, forMode: .default)
        source.signal()
      }
      for run in 1...3 {
        #expect(loop.run(mode: .default, before: .distantFuture))
        #expect(log.entries == Array(0..<run))
      }
    }
  }

  @Test("R3, T12 timers do not end it")
  func timersDoNot() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var ticks = 0
      let source = GRunLoop.Source { _ in }
      loop.add(source, forMode: .default)
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in
        ticks += 1
        if ticks >= 5 { source.signal() }
      }
      loop.add(timer, forMode: .default)
      #expect(loop.run(mode: .default, before: .now.advanced(by: .seconds(30))))
      #expect(ticks >= 5)
    }
  }

  @Test(
    "R15 a source of GLib's ends it, of whatever priority, beside timers that do not",
    arguments: [-100, 0, 200] as [CInt])
  func foreignSourcesDo(priority: CInt) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var calls = 0
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in }
      loop.add(timer, forMode: .default)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      for round in 1...3 {
        Foreign.timeout(milliseconds: 5, priority: priority) {
          calls += 1
          return false
        }.attach(to: loop.context)
        #expect(loop.run(mode: .default, before: .now.advanced(by: .seconds(30))))
        #expect(calls == round)
      }
    }
  }

  @Test("R3 returns true when the limit came, and not before")
  func limit() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      for timebase in GRunLoop.Timebase.allCases {
        let limit = GRunLoop.Instant.now(on: timebase).advanced(by: .milliseconds(20))
        #expect(loop.run(mode: .default, before: limit))
        // The wall clock may be set meanwhile.
        if timebase != .wall { #expect(GRunLoop.Instant.now(on: timebase) >= limit) }
      }
      #expect(loop.run(mode: .default, before: .distantPast))
    }
  }

  @Test("R3 returns false when the mode is empty, at once and with no observer called")
  func emptyMode() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch(.all)
      loop.add(GRunLoop.Source { _ in }, forMode: "another")
      #expect(!loop.run(mode: .default, before: .distantFuture))
      #expect(!loop.run(mode: "new", before: .distantPast))
      #expect(log.entries.isEmpty)
    }
  }
}
