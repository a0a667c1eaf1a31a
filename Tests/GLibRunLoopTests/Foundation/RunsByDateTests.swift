import Foundation
import GLibRunLoop
import RunLoopFoundation
import Testing

@Suite struct RunsByDateTests {
  @Test("R4 a run until a date ends then, one until the distant past handles what is ready")
  func runUntil() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      loop.perform { log.append("perform") }
      loop.run(until: Date.distantPast)
      #expect(log.entries == ["perform"])
      let limit = Date() + 0.02
      loop.run(until: limit)
      #expect(Date() >= limit)
      // Where both would do, the loop's own instants are meant: this compiles.
      loop.run(until: .distantPast)
      loop.run(until: .now + .milliseconds(1))
    }
  }

  @Test("R2, R3 a run in a mode before a date, or for some seconds")
  func runInMode() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      #expect(!loop.run(mode: .default, before: Date() + 60))
      let source = GRunLoop.Source { _ in }
      loop.add(source, forMode: .default)
      source.signal()
      #expect(loop.run(mode: .default, before: Date.distantFuture))
      let limit = Date() + 0.02
      #expect(loop.run(mode: .default, before: limit))
      #expect(Date() >= limit)
      #expect(loop.run(mode: .default, for: 0.01) == .timedOut)
      source.signal()
      #expect(loop.run(mode: .default, for: 1e300, returnAfterSourceHandled: true) == .handledSource)
      #expect(loop.run(mode: .default, for: -1.0) == .timedOut)
    }
  }
}
