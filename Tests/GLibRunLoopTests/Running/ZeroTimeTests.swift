import GLibRunLoop
import Testing

@Suite struct ZeroTimeTests {
  @Test("R2 zero or negative time is one full pass, due timers included", arguments: [0, -1, -1_000_000])
  func onePass(seconds: Int) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch(.all)
      for work in Work.allCases { work.makeReady { log.append("\(work)") } }
      loop.add(GRunLoop.Timer(fireDate: .now) { _ in log.append("timer") }, forMode: .default)
      // Nothing that is not due.
      loop.add(GRunLoop.Timer(interval: .seconds(1000)) { _ in log.append("early") }, forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(seconds)) == .timedOut)
      let frame = ["entry", "beforeTimers", "beforeSources", "exit"]
      #expect(log.entries.filter { frame.contains($0) } == frame)
      #expect(log.entries.first == "entry" && log.entries.last == "exit")
      let work = log.entries.filter { !frame.contains($0) }
      #expect(work.sorted() == ["descriptor", "foreign", "perform", "source", "timer", "timer"])
    }
  }

  @Test("R2 what the pass itself makes ready is left for the next one")
  func leavesNews() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: Int.self)
      let source = GRunLoop.Source { source in
        log.append(1)
        source.signal()
      }
      loop.add(source, forMode: .default)
      source.signal()
      for pass in 1...5 {
        loop.run(mode: .default, for: .zero)
        #expect(log.count == pass)
      }
    }
  }

  @Test("R2 a foreign source's time-outs do not stretch it")
  func foreignTimeout() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var fired = false
      Foreign.timeout(milliseconds: 60_000) {
        fired = true
        return false
      }.attach(to: loop.context)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      for _ in 0..<100 { #expect(loop.run(mode: .default, for: .zero) == .timedOut) }
      #expect(!fired)
    }
  }
}
