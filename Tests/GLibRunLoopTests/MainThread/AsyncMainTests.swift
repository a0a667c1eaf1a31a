import Testing

@Suite struct AsyncMainTests {
  @Test(
    "C4 after one call async main is on the first thread after every await, and GLib's sources live meanwhile",
    arguments: ["plain", "hops", "sources"])
  func staysOnFirstThread(_ way: String) async throws {
    let result = try await programResult("AsyncMainProgram", [way])
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
    #expect(result.output == "main returns\n")
    #expect(result.errors == "")
  }

  @Test("C4 without the call it is not: this is what the call is for")
  func control() async throws {
    let result = try await programResult("AsyncMainProgram", ["unhosted"])
    #expect(result.exitCode == 9, "\(result.output)\(result.errors)")
  }

  @Test("C11 without it a main loop that has work says that nobody turns it, and what to call")
  func unturned() async throws {
    let result = try await programResult("AsyncMainProgram", ["unhosted with work"])
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
  }

  @Test("C4, R5 a stop that is for no run in particular does not end the program")
  func stopIsNotForIt() async throws {
    let result = try await programResult("AsyncMainProgram", ["stop"])
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
    #expect(result.output == "main returns\n")
  }
}
