import Testing

@Suite struct AsyncMainEndTests {
  @Test(
    "C4 the process ends with main: status 0, or the one that main gives to exit",
    arguments: ["without await", "exits"])
  func status(_ way: String) async throws {
    let result = try await programResult("AsyncMainProgram", [way])
    #expect(result.exitCode == (way == "exits" ? 7 : 0), "\(result.output)\(result.errors)")
    #expect(result.errors == "")
  }

  @Test("C4 an error that main throws ends the process as in any Swift program")
  func thrownError() async throws {
    let result = try await programResult("AsyncMainProgram", ["throws"])
    #expect(result.exitCode != 0 || result.signal != nil)
    #expect(result.errors.contains("Error raised at top level"), "\(result.errors)")
    #expect(result.errors.contains("Refusal"), "\(result.errors)")
  }

  @Test("C4 the call on another thread than the first says what to do")
  func late() async throws {
    let result = try await programResult("AsyncMainProgram", ["late"])
    #expect(result.signal != nil || result.exitCode != 0)
    #expect(result.errors.contains("call it first thing in main"), "\(result.errors)")
  }

  @Test(
    "C4, L2 if another thread drives the default context one line says so, and main goes on without",
    arguments: ["elsewhere", "elsewhere without Dispatch's descriptor"])
  func drivenElsewhere(_ way: String) async throws {
    let result = try await programResult("AsyncMainProgram", [way])
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
    #expect(result.output == "main returns\n")
    #expect(result.errors.contains("another thread drives the default main context"), "\(result.errors)")
  }
}
