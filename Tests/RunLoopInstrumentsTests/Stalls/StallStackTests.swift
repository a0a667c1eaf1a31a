import GLibRunLoop
import Glibc
import RunLoopInstruments
import Testing

@Suite struct StallStackTests {
  @Test("the stack of the thread that is kept has the function that keeps it")
  func functions() async throws {
    try await onLoopThread {
      func start() throws -> (program: ChildProgram, report: String?) {
        let program = try ChildProgram(scenario: "stalls", environment: ["GRUNLOOP_STALLS=50"])
        return (program, program.complaint(with: "has not turned for"))
      }
      var (program, found) = try start()
      // On a busy machine the loop may stall before, kept by another thing, or the detector not come to look in time.
      for _ in 0..<20 where found?.contains("Timer \"slow\"") != true { (program, found) = try start() }
      let report = try #require(found)
      #expect(report.contains("Timer \"slow\", added at InstrumentsProgram/Stalls.swift"))
      #expect(report.contains("main thread"))
      #expect(program.complaint(with: "computeForLong") != nil)
      #expect(program.complaint(with: "turns again, after") != nil)
      program.signal(SIGTERM)
      #expect(program.finish() == 0)
    }
  }

  @Test("the signal goes back: another detector has it, and one that comes late is harmless")
  func signal() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      for _ in 0..<40 {
        let detector = try GRunLoop.StallDetector.start(
          on: loop, limit: .seconds(10), takesStacks: true, report: .call { _ in })
        detector.stop()
        detector.stop()
      }
    }
  }
}
