import GLibRunLoop
import Testing

@Suite struct SpinEndsAtDateTests {
  enum Date: CaseIterable, Sendable { case timer, wallTimer, limit, timeout }

  @Test("R1, T2 a date that comes within the spin is kept", arguments: Date.allCases)
  func kept(_ date: Date) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.spinDuration = .longSpin
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      let start = GRunLoop.Instant.now
      switch date {
      case .timer: loop.add(GRunLoop.Timer(interval: .milliseconds(5)) { _ in loop.stop() }, forMode: .default)
      case .wallTimer:
        let date = GRunLoop.Instant.now(on: .wall) + .milliseconds(5)
        loop.add(GRunLoop.Timer(fireDate: date) { _ in loop.stop() }, forMode: .default)
      case .limit: break
      case .timeout:
        Foreign.timeout(milliseconds: 5) {
          loop.stop()
          return false
        }.attach(to: loop.context)
      }
      stopIfHung {
        let result = loop.run(mode: .default, for: date == .limit ? .milliseconds(5) : .seconds(500))
        #expect(result == (date == .limit ? .timedOut : .stopped))
      }
      // GLib's own count milliseconds that have begun, and the wall clock may be set.
      if date == .timer || date == .limit { #expect(.now >= start + .milliseconds(5)) }
    }
  }
}
