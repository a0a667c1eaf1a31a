import GLibRunLoop
import RunLoopInstruments
import Testing

@Suite struct LatenessTests {
  @Test("H4 a timer of the distant past is late for nothing, on any clock", arguments: GRunLoop.Timebase.allCases)
  func distantPast(_ timebase: GRunLoop.Timebase) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.collectsMetrics = true
      defer { loop.collectsMetrics = false }
      let past = GRunLoop.Instant(nanoseconds: .min, on: timebase)
      for date in [past, past + .seconds(1)] {
        loop.add(GRunLoop.Timer(fireDate: date, interval: .seconds(3600), repeats: true) { _ in }, forMode: .default)
      }
      loop.add(GRunLoop.Timer(fireDate: .now(on: timebase)) { _ in }, forMode: .default)
      loop.run(mode: .default, for: .zero)
      let metrics = loop.metrics
      #expect(metrics.calls.first { $0.kind == "Timer" }?.count == 3)
      #expect(metrics.timerLateness.count == 1, "that of the one with a date of our days")
    }
  }

  @Test("H4 names are shown without what a terminal obeys")
  func names() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.collectsMetrics = true
      defer { loop.collectsMetrics = false }
      loop.perform(name: "\u{1B}[2Jgone\nsecond\u{202E}\u{9B}H") {}
      loop.run(mode: .default, for: .zero)
      let text = loop.metrics.description
      #expect(text.contains("␛[2Jgone␊second"))
      #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{202E}" })
      let names = loop.metrics.slowest.map(\.name)
      #expect(names.contains("\u{1B}[2Jgone\nsecond\u{202E}\u{9B}H"), "programs get it whole")
    }
  }
}
