import GLibRunLoop
import Testing

/// A stop from another thread set a mark and woke nobody: the loop slept on, for ever if nothing else came.
/// https://github.com/libuv/help/issues/196
/// https://github.com/savonet/liquidsoap/issues/896
@Suite struct StopUnheardRegression {
  @Test("R5, L4, R7 a stop from another thread ends a sleep that has no other end (libuv, liquidsoap)")
  func ends() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let source = GRunLoop.Source { _ in }
      loop.add(source, forMode: .default)
      let (begun, ended) = (Log(of: Int.self), Log(of: Int.self))
      let rounds = 100
      let stopper = TestThread {
        for round in 0..<rounds {
          guard eventually({ begun.count > round && loop.isWaiting }) else { return }
          loop.stop()
          eventually { ended.count > round }
        }
      }
      for round in 0..<rounds {
        begun.append(round)
        let result = loop.run(mode: .default, for: .seconds(60))
        ended.append(round)
        #expect(result == .stopped)
        if result != .stopped { break }
      }
      stopper.join()
      source.invalidate()
    }
  }
}
