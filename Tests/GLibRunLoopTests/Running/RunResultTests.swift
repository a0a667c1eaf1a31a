import GLibRunLoop
import Testing

@Suite struct RunResultTests {
  @Test("R2 the raw values are the documented ones")
  func rawValues() {
    let results: [GRunLoop.RunResult] = [.finished, .stopped, .timedOut, .handledSource]
    #expect(results.map(\.rawValue) == [1, 2, 3, 4])
  }

  @Test("R2 each reason for returning")
  func reasons() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      #expect(loop.run(mode: .default, for: .seconds(30)) == .finished)
      let source = GRunLoop.Source { _ in }
      loop.add(source, forMode: .default)
      #expect(loop.run(mode: .default, for: .milliseconds(5)) == .timedOut)
      source.signal()
      #expect(loop.run(mode: .default, for: .seconds(30), returnAfterSourceHandled: true) == .handledSource)
      loop.add(GRunLoop.Timer(interval: .milliseconds(5)) { _ in loop.stop() }, forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(30), returnAfterSourceHandled: true) == .stopped)
      loop.add(GRunLoop.Timer(interval: .milliseconds(5)) { _ in source.invalidate() }, forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(30), returnAfterSourceHandled: true) == .finished)
    }
  }

  @Test("R2, R15 a handled source is the reason only where it was asked for", arguments: Work.allCases)
  func asked(_ work: Work) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      var done = 0
      work.makeReady { done += 1 }
      #expect(loop.run(mode: .default, for: .zero, returnAfterSourceHandled: false) == .timedOut)
      work.makeReady { done += 1 }
      let isSource = work != .timer
      let result = loop.run(mode: .default, for: .zero, returnAfterSourceHandled: true)
      #expect(result == (isSource ? .handledSource : .timedOut))
      #expect(done == 2)
    }
  }

  @Test("R2 a handled source comes before the time that is up, a stop and an empty mode")
  func handledSourceFirst() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      func signalLast() {
        let source = GRunLoop.Source { source in
          source.invalidate()
          loop.stop()
        }
        loop.add(source, forMode: "m")
        source.signal()
      }
      signalLast()
      #expect(loop.run(mode: "m", for: .zero, returnAfterSourceHandled: true) == .handledSource)
      signalLast()
      #expect(loop.run(mode: "m", for: .seconds(30), returnAfterSourceHandled: true) == .handledSource)
      signalLast()
      #expect(loop.run(mode: "m", for: .zero) == .timedOut, "before a stop and an empty mode")
      signalLast()
      #expect(loop.run(mode: "m", for: .seconds(30)) == .stopped, "before an empty mode")
    }
  }
}
