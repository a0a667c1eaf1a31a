import GLibRunLoop
import Testing

@Suite struct OtherPrioritiesInModesTests {
  @Test("M11 an item of another priority that became ready in one of its modes fires in the next that runs")
  func becameReadyElsewhere() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let pipe = TestPipe()
      pipe.write()
      let log = Log(of: String.self)
      let timer = GRunLoop.Timer(interval: .milliseconds(1), priority: .idle) { _ in log.append("timer") }
      let source = GRunLoop.Source(priority: .idle) { _ in log.append("source") }
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable, priority: .idle) {
        source, _ in
        log.append("descriptor")
        source.invalidate()
      }
      // It keeps the lanes of the first mode from their turn, so that all is ready there and nothing has fired.
      let busy = GRunLoop.Source { $0.signal() }
      loop.add(busy, forMode: "a")
      for item in [timer, source, descriptor] { loop.add(item, forModes: ["a", "b"]) }
      source.signal()
      busy.signal()
      loop.run(mode: "a", for: .milliseconds(20))
      #expect(log.entries == [])
      busy.invalidate()
      eventually {
        loop.run(mode: "b", for: .milliseconds(1))
        return log.count == 3
      }
      #expect(Set(log.entries) == ["timer", "source", "descriptor"])
    }
  }

  @Test("M11 one that joins or leaves a mode while it waits for its turn is neither lost nor called twice")
  func changesModes() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var fired = 0
      let source = GRunLoop.Source(priority: .idle) { _ in fired += 1 }
      let busy = GRunLoop.Source { $0.signal() }
      loop.add(busy, forMode: "a")
      loop.add(source, forMode: "a")
      source.signal()
      busy.signal()
      loop.run(mode: "a", for: .milliseconds(5))
      loop.add(source, forMode: "b")
      loop.remove(source, forMode: "a")
      loop.run(mode: "b", for: .milliseconds(20))
      #expect(fired == 1)
      busy.invalidate()
      loop.run(mode: "a", for: .zero)
      loop.run(mode: "b", for: .zero)
      #expect(fired == 1)
      #expect(loop.run(mode: "a", for: .zero) == .finished, "the turn that was called off still keeps the mode")
      source.invalidate()
      #expect(loop.run(mode: "b", for: .zero) == .finished)
    }
  }
}
