import GLibRunLoop
import Testing

@Suite struct PerformOfSeveralModesRunsOnceTests {
  private let mode = GRunLoop.Mode("mode")

  @Test("P1, R6 a perform of several modes runs once, also when a nested run put it back", arguments: [false, true])
  func once(isBehindAnOlderOne: Bool) async throws {
    let mode = mode
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      if isBehindAnOlderOne { loop.perform(inModes: [mode]) { log.append("older") } }
      loop.perform(inModes: [.common, mode]) { loop.run(mode: .default, for: .zero) }
      loop.perform(inModes: [.common, mode]) { log.append("of both") }
      loop.perform(inModes: [mode]) { log.append("younger") }
      loop.run(mode: .default, for: .zero)
      #expect(log.entries == ["of both"])
      loop.run(mode: mode, for: .zero)
      #expect(log.entries == ["of both"] + (isBehindAnOlderOne ? ["older"] : []) + ["younger"])
    }
  }

  @Test("P1, M5 one that ran in a nested run is not left behind in its other mode")
  func notLeftBehind() async throws {
    let mode = mode
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      loop.perform(inModes: [.common, mode]) { loop.run(mode: .default, for: .zero) }
      loop.perform(inModes: [.common, mode]) { log.append("nested") }
      loop.run(mode: .default, for: .zero)
      #expect(log.entries == ["nested"])
      #expect(loop.run(mode: mode, for: .zero) == .finished)
      #expect(log.entries == ["nested"])
    }
  }

  @Test("P1 what a nested run put back keeps its orders")
  func keepsOrders() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: Int.self)
      loop.perform(inModes: [.default], order: -1) { loop.run(mode: .eventTracking, for: .zero) }
      for order in [3, 1, 2] { loop.perform(inModes: [.default], order: order) { log.append(order) } }
      loop.add(GRunLoop.Source { _ in }, forMode: .eventTracking)
      loop.run(mode: .default, for: .zero)
      loop.run(mode: .default, for: .zero)
      #expect(log.entries == [1, 2, 3])
    }
  }

  @Test("P5 one that a nested run put back behind an older one can be cancelled")
  func cancelled() async throws {
    let mode = mode
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      let perform = Locked<GRunLoop.Perform?>(nil)
      loop.perform(inModes: [mode]) { log.append("older") }
      loop.perform(inModes: [.default, mode]) {
        // Puts the rest of the batch back.
        loop.run(mode: .eventTracking, for: .zero)
        perform.withLock { $0 }?.cancel()
      }
      perform.withLock { $0 = loop.perform(inModes: [.default, mode]) { log.append("cancelled") } }
      loop.run(mode: .default, for: .zero)
      loop.run(mode: mode, for: .zero)
      #expect(log.entries == ["older"])
    }
  }
}
