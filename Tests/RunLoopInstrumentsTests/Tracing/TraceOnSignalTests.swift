import GLibRunLoop
import Glibc
import RunLoopInstruments
import Testing

@Suite struct TraceOnSignalTests {
  @Test("a signal has the last moments written while the main loop hangs, again and again")
  func hangs() async throws {
    try await onLoopThread {
      let scratch = TraceScratch()
      let program = try ChildProgram(scenario: "hangs", [scratch.path()])
      #expect(program.line() == "hangs")
      for _ in 0..<2 {
        unlink(scratch.path())
        program.signal(SIGUSR2)
        #expect(eventually { scratch.text().hasSuffix("]\n") })
        let hanging = try #require(try scratch.events().named("the one that hangs").first)
        #expect(hanging.text("unfinished") == "yes" && hanging.dur! > 0)
      }
      program.end()
    }
  }

  @Test("a signal that is in use is refused, and is free again once the trace is stopped")
  func inUse() throws {
    let scratch = TraceScratch()
    let (first, second) = (GRunLoop.Trace.start(keeping: .seconds(1)), GRunLoop.Trace.start(keeping: .seconds(1)))
    defer { second.stop() }
    try first.write(to: scratch.path("first.json"), on: SIGUSR1)
    #expect(throws: GRunLoop.InstrumentFailure.self) { try second.write(to: scratch.path(), on: SIGUSR1) }
    #expect(throws: GRunLoop.InstrumentFailure.self) { try first.write(to: scratch.path(), on: SIGUSR2) }
    first.stop()
    try second.write(to: scratch.path("second.json"), on: SIGUSR1)
    kill(getpid(), SIGUSR1)
    #expect(eventually { scratch.text("second.json").hasSuffix("]\n") })
    #expect(scratch.text("first.json").isEmpty)
  }
}
