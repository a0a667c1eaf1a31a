import Testing

@Suite struct StallLogTests {
  @Test("a report to GLib's structured log has the item, its line, and the time in fields")
  func fields() async throws {
    try await onLoopThread {
      var fields: [String: String] = [:]
      // A busy machine may make the loop stall before, and what keeps it then is another thing.
      for _ in 0..<20 where fields["GRUNLOOP_ITEM"] != "slow" || fields["GRUNLOOP_OVER"] != "0" {
        let program = try ChildProgram(scenario: "logs")
        fields = [:]
        while let line = program.line(), line != "end" {
          let parts = line.split(separator: "=", maxSplits: 1)
          fields[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
      }
      #expect(fields["GLIB_DOMAIN"] == "GLibRunLoop" && fields["PRIORITY"] == "4")
      #expect(fields["GRUNLOOP_ITEM"] == "slow" && fields["GRUNLOOP_OVER"] == "0")
      #expect(Int(fields["GRUNLOOP_STALL_US"] ?? "")! >= 50_000)
      #expect(fields["CODE_FILE"] == "InstrumentsProgram/Stalls.swift")
      #expect(Int(fields["CODE_LINE"] ?? "")! > 0)
      #expect(fields["MESSAGE"]?.contains("Timer \"slow\"") ?? false)
    }
  }
}
