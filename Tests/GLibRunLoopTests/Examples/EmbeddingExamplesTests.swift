import Testing

@Suite struct EmbeddingExamplesTests {
  private static let hosts = [
    "GTK4/Sources/GTK4Host/Program.swift", "GTK4/Sources/GTK4Host/Window.swift", "GTK3/main.c", "GTK3/primes.swift",
    "GIO/Sources/GIOHost/SocketService.swift", "GStreamer/Sources/GStreamerHost/Player.swift",
  ]

  @Test("E9 every line of code on the page on embedding is in a host that is built and run")
  func built() {
    let code = Set(Self.hosts.flatMap { ExamplesOfPagesTests.lines(of: "Integration/Hosts/\($0)") })
    let page = ExamplesOfPagesTests.lines(of: "Sources/GLibRunLoop/GLibRunLoop.docc/Embedding.md")
    var isCode = false
    var count = 0
    for line in page {
      if line.hasPrefix("```") {
        isCode = !isCode
      } else if isCode && !line.isEmpty {
        count += 1
        #expect(code.contains(line))
      }
    }
    #expect(count > 40)
  }
}
