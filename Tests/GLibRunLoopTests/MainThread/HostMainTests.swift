import Testing

@Suite struct HostMainTests {
  @Test("C4, C1 a main that is not async: the main actor lives under its host, whose status is the process's")
  func status() async throws {
    let result = try await scenarioResult(["HostedApplication"])
    #expect(result.exitCode == 5, "\(result.output)\(result.errors)")
    #expect(result.output == "task\n")
  }

  @Test("C4 off the first thread it says so")
  func otherThread() async throws {
    let result = try await scenarioResult(["HostedOnOtherThread"])
    #expect(result.signal != nil || result.exitCode != 0)
    #expect(result.errors.contains("hostMain(_:) was called on another thread"), "\(result.errors)")
  }
}
