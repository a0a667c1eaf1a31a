import Foundation
import GLibRunLoop
import Glibc
import RunLoopInstruments
import Testing

@Suite struct MetricsTextTests {
  @Test("metrics come back from their JSON as they were")
  func json() async throws {
    try await onLoopThread {
      let metrics = try collected()
      let again = try JSONDecoder().decode(GRunLoop.Metrics.self, from: Data(metrics.json.utf8))
      #expect(again == metrics)
      #expect(!metrics.json.contains("\n"))
      // Without counts, too.
      GRunLoop.current.collectsMetrics = false
      let empty = GRunLoop.current.metrics
      #expect(try JSONDecoder().decode(GRunLoop.Metrics.self, from: Data(empty.json.utf8)) == empty)
    }
  }

  @Test("metrics print as a table with aligned columns")
  func table() async throws {
    try await onLoopThread {
      let lines = try collected().description.split(separator: "\n").map(String.init)
      let head = try #require(lines.firstIndex { $0.hasPrefix("  mode ") })
      // Figures end below their head.
      #expect(lines[head].hasSuffix("signals") && lines[head].count == lines[head + 1].count)
      #expect(lines.contains { $0.contains("passes") && $0.contains("sleeps") && $0.contains("busy") })
      #expect(lines.contains { $0.hasPrefix("  a \"quoted\" name") && $0.contains("MetricsTextTests.swift:") })
    }
  }

  @Test("a histogram's buckets are powers of two, and its quantiles are bounds")
  func histogram() async throws {
    try await onLoopThread {
      let durations = try collected().durations
      #expect(durations.buckets.reduce(0, +) == durations.count && durations.buckets.last ?? 0 > 0)
      let longest = durations.longestNanoseconds
      #expect(1 << Int64(durations.buckets.count - 1) <= longest && longest < 1 << Int64(durations.buckets.count))
      #expect(durations.quantile(0.5) <= durations.quantile(0.99))
      #expect(durations.quantile(1) == durations.longest && durations.mean <= durations.longest)
      #expect(GRunLoop.Metrics.Histogram().quantile(0.5) == .zero)
    }
  }

  private func collected() throws -> GRunLoop.Metrics {
    let loop = GRunLoop.current
    loop.collectsMetrics = true
    for index in 0..<20 {
      loop.perform(name: "a \"quoted\" name") { usleep(UInt32(index) * 50) }
      loop.run(mode: .default, for: .zero)
    }
    return loop.metrics
  }
}
