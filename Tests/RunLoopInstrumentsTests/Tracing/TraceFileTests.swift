import GLibRunLoop
import Glibc
import RunLoopInstruments
import Testing

@Suite struct TraceFileTests {
  /// Where InstrumentsProgram adds its timer.
  private let timerLine = 38

  @Test(
    "GRUNLOOP_TRACE traces an unchanged program, and what is in memory at its end is written",
    arguments: [
      ("returns", CInt(0)), ("exits", 3),
    ])
  func environment(_ scenario: String, _ code: CInt) async throws {
    try await onLoopThread {
      let scratch = TraceScratch()
      let program = try ChildProgram(scenario: scenario, environment: ["GRUNLOOP_TRACE=\(scratch.path("%p.json"))"])
      #expect(program.finish() == code)
      let file = "\(program.number).json"
      let timer = try #require(try scratch.events(file).named("the only timer").first)
      #expect(timer.text("added at") == "InstrumentsProgram/InstrumentsProgram.swift:\(timerLine)")
      let names = try scratch.events(file).filter { $0.ph == "M" && $0.tid == timer.tid }
      #expect(names.first?.text("name") == "main thread")
    }
  }

  @Test("a killed process leaves a trace that lacks only the last moments, and the closing bracket")
  func killed() async throws {
    try await onLoopThread {
      let scratch = TraceScratch()
      let program = try ChildProgram(scenario: "goes-on", environment: ["GRUNLOOP_TRACE=\(scratch.path())"])
      #expect(program.line() == "worked")
      // Half a second's worth may be in memory still, and more on a busy machine.
      eventually { (try? scratch.unfinishedEvents().count { $0.name == "tick" } > 1000) ?? false }
      program.end()
      let ticks = try scratch.unfinishedEvents().count { $0.name == "tick" }
      #expect(ticks > 1000)
    }
  }

  @Test("a trace that cannot be written is refused, with the reason")
  func refused() throws {
    let scratch = TraceScratch()
    #expect {
      try GRunLoop.Trace.start(writingTo: scratch.path("no/folder/trace.json"))
    } throws: {
      "\($0)".contains("No such file or directory")
    }
    let trace = try GRunLoop.Trace.start(writingTo: scratch.path())
    defer { trace.stop() }
    #expect {
      try GRunLoop.Trace.start(writingTo: scratch.path())
    } throws: {
      "\($0)".contains("%p")
    }
  }

  @Test("a trace that is refused closes no descriptor of another thread's")
  func refusedTraceRegression() throws {
    let scratch = TraceScratch()
    #expect(try ChildProgram(scenario: "is-refused", [scratch.path()]).finish() == 0)
  }

  @Test("a name that JSON must quote comes back as it was")
  func names() async throws {
    try await onLoopThread {
      let name = "\"\\ \u{1} \n é 🕐"
      let events = try traced {
        let loop = GRunLoop.current
        loop.perform(name: name) {}
        loop.run(mode: .default, for: .zero)
      }
      #expect(events.contains { $0.name == name })
    }
  }

  @Test("a stopped trace's file is complete, does not grow, and stops once")
  func stopped() async throws {
    try await onLoopThread {
      let scratch = TraceScratch()
      let trace = try GRunLoop.Trace.start(writingTo: scratch.path())
      trace.stop()
      trace.stop()
      let loop = GRunLoop.current
      loop.perform(name: "too late") {}
      loop.run(mode: .default, for: .zero)
      #expect(try scratch.events().allSatisfy { $0.name != "too late" })
    }
  }
}
