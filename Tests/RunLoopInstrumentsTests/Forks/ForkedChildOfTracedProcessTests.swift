import GLibRunLoop
import Glibc
import Testing

@Suite struct ForkedChildOfTracedProcessTests {
  @Test(
    "H4, L10 a child of a traced process ends, has instruments of its own, and keeps no lock on the trace's file",
    .enabled(if: !hasThreadSanitizer, "its runtime does not go on in the child of a process with threads"))
  func ends() async throws {
    try await onLoopThread {
      let scratch = TraceScratch()
      let program = try ChildProgram(scenario: "forks", [scratch.path()])
      #expect(program.line() == "signal \(SIGUSR2): 20, status 7: 40")
      #expect(program.line() == "the file is free")
      #expect(program.finish() == 0)
    }
  }
}
