import Testing

/// The examples of the documentation, compiled and run.
@Suite struct MainThreadExamplesTests {
  @Test("C4 the example with an async main")
  func asyncMain() async throws {
    let result = try await programResult("AsyncMain")
    #expect(result.exitCode == 0 && result.errors == "", "\(result.errors)")
    #expect(result.output.hasPrefix("tick\n"))
    #expect(result.output.hasSuffix("still on the main thread: true\n"))
  }

  @Test("C4 the example with a host")
  func hostMain() async throws {
    let result = try await programResult("HostMain")
    #expect(result.exitCode == 0 && result.errors == "", "\(result.errors)")
    #expect(result.output == "a task of the main actor, under g_main_loop_run\n")
  }
}
