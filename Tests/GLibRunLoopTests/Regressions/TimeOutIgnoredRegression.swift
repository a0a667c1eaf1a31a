import GLibRunLoop
import Testing

/// A wait with a time limit went on past it until some event came.
/// https://github.com/libsdl-org/SDL/issues/4928
@Suite struct TimeOutIgnoredRegression {
  @Test("R2, R3 a limited run ends by itself, whatever else it waits for (SDL)", arguments: ["default", "private"])
  func ends(mode name: String) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let mode = name == "default" ? GRunLoop.Mode.default : GRunLoop.Mode(name)
      let pipe = BytePipe()
      let items: [GRunLoop.Item] = [
        GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in },
        GRunLoop.Timer(interval: .seconds(60)) { _ in Issue.record("it waited for the timer") },
        GRunLoop.ForeignSource(
          Foreign.timeout(milliseconds: 60_000) {
            Issue.record("it waited for a foreign time-out")
            return false
          }),
      ]
      for item in items { loop.add(item, forMode: mode) }
      let start = GRunLoop.Instant.now
      #expect(loop.run(mode: mode, for: .milliseconds(35)) == .timedOut)
      #expect(loop.run(mode: mode, before: .now + .milliseconds(35)))
      #expect(GRunLoop.Instant.now - start >= .milliseconds(70))
      for item in items { item.invalidate() }
    }
  }
}
