import Testing

@Suite struct HeaderAndSymbolsAgreeTests {
  @Test("G1 the library has the functions of the header, and no other of that name")
  func agree() async throws {
    let declared = try Header().functions.map(\.name)
    let nm = try await command("/usr/bin/nm", ["-D", "--defined-only", Places.library])
    try #require(nm.status == 0, "\(nm.output)")
    let exported = nm.output.split(separator: "\n").compactMap { line -> String? in
      let fields = line.split(separator: " ")
      return fields.count == 3 && fields[1] == "T" && fields[2].hasPrefix("grunloop_") ? String(fields[2]) : nil
    }
    #expect(declared.count > 60)
    #expect(Set(declared).count == declared.count)
    #expect(Set(exported).symmetricDifference(declared) == [])
  }

  @Test("G1 each function of the header is called by one of these programs")
  func called() throws {
    let programs = [
      "check.h", "descriptors.c", "ended.c", "foreign.c", "forked.c", "host_descriptor.c", "lifetimes.c", "loops.c",
      "main_queue.c",
      "many_threads.c", "modes.c", "observers.c", "over_unref.c", "perform_and_wait.c", "performs.c", "running.c",
      "signals.c",
      "sources.c", "timers.c",
    ]
    let text = try programs.map { try Places.text(of: Places.programs + "/" + $0) }.joined()
    let missing = try Header().functions.map(\.name).filter { !text.contains("\($0) (") && !text.contains("\($0),") }
    // It makes the macro GRUNLOOP_ERROR; a program calls it by that.
    #expect(missing == ["grunloop_error_quark"])
    #expect(text.contains("GRUNLOOP_ERROR,"))
  }
}
