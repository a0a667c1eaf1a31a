import GLibRunLoop
import Glibc
import RunLoopInstruments
import Testing

@Suite struct TraceKeepsLastSecondsTests {
  @Test("a trace that keeps the last moments lets older ones go")
  func byAge() async throws {
    try await onLoopThread {
      try inTime(from: .milliseconds(200)) { time in
        let scratch = TraceScratch()
        let trace = GRunLoop.Trace.start(keeping: time)
        defer { trace.stop() }
        let loop = GRunLoop.current
        loop.perform(name: "old") {}
        loop.run(mode: .default, for: .zero)
        usleep(UInt32(time / .microseconds(1)) * 2)
        loop.perform(name: "new") {}
        loop.run(mode: .default, for: .zero)
        try trace.write(to: scratch.path())
        let names = try scratch.events().map(\.name)
        #expect(!names.contains("old"))
        return names.contains("new")
      }
    }
  }

  @Test("a trace that keeps so many records keeps the last of them, and can be written again and again")
  func byCount() async throws {
    try await onLoopThread {
      let scratch = TraceScratch()
      let trace = GRunLoop.Trace.start(keeping: .seconds(600), upTo: 50)
      defer { trace.stop() }
      let loop = GRunLoop.current
      for round in 1...2 {
        for number in 1...100 {
          loop.perform(name: "\(round).\(number)") {}
          loop.run(mode: .default, for: .zero)
        }
        try trace.write(to: scratch.path())
        let names = try scratch.events().filter { $0.cat == "callback" }.map(\.name)
        #expect(names.count <= 50)
        #expect(names.contains("\(round).99") && !names.contains("\(round).1"))
      }
    }
  }

  @Test("what goes on while a trace is written is there, marked as unfinished")
  func openCallback() async throws {
    let scratch = TraceScratch()
    let path = scratch.path()
    let trace = GRunLoop.Trace.start(keeping: .seconds(600))
    let worker = LoopWorker()
    let (entered, leave) = (Gate<Void>(), Gate<Void>())
    worker.loop.perform(name: "endless") {
      entered.open()
      leave.wait()
    }
    entered.wait()
    try trace.write(to: path)
    leave.open()
    worker.finish()
    trace.stop()
    let endless = try #require(try scratch.events().named("endless").first)
    #expect(endless.text("unfinished") == "yes")
  }
}
