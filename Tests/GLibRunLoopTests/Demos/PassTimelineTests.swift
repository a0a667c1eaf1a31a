import Testing

@Suite struct PassTimelineTests {
  @Test("R1, R6, M2, M6, P1 the timeline of a scenario reads the same, whoever drives")
  func sameRows() throws {
    let swift = try DemoProcess("PassTimeline", []).finish()
    let glib = try DemoProcess("PassTimeline", ["--glib"]).finish()
    #expect((swift.exitCode, glib.exitCode) == (0, 0), "\(swift.errors)\(glib.errors)")
    let rows = Self.rows(of: swift.output)
    #expect(rows == Self.rows(of: glib.output))
    #expect(rows.last == "default       A has 42 from a task on another thread")
    #expect(rows.contains("reply         │ │ S the reply from the second thread, 20 ms later"))
    #expect(!swift.output.contains("\u{1B}"), "a pipe is no terminal")
    #expect(swift.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  /// Without the title, which names the driver, and the times.
  private static func rows(of output: String) -> [String] {
    output.split(separator: "\n").dropFirst().map { row in
      guard let time = row.split(separator: " ").first, Double(time) != nil, time.contains(".") else {
        return String(row)
      }
      return row[time.endIndex...].drop { $0 == " " }.description
    }
  }
}
