import GLibRunLoop
import Testing

@Suite struct PerformRunElsewhereLeavesNothingTests {
  @Test("M5 the place of a perform that ran in another of its modes does not keep the common modes alive")
  func emptyModeStaysEmpty() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: GRunLoop.RunResult.self)
      let (first, second) = (GRunLoop.Mode("first"), GRunLoop.Mode("second"))
      loop.perform(inModes: [first]) { log.append(loop.run(mode: .default, for: .zero)) }
      loop.perform(inModes: [first, second]) {}
      loop.run(mode: second, for: .zero)
      loop.run(mode: first, for: .zero)
      #expect(log.entries == [.finished])
    }
  }
}
