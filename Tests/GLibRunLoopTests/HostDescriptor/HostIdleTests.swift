import CGLib
import GLibRunLoop
import Testing

@Suite struct HostIdleTests {
  @Test("R11, R8 a host whose loop waits is not woken, whatever waits in it")
  func still() async throws {
    try await withPollingHost { host in
      let pipes = (0..<4).map { _ in TestPipe() }
      host.loop.add(GRunLoop.Source { _ in }, forMode: .default)
      host.loop.add(GRunLoop.Timer(interval: .seconds(3600), repeats: true) { _ in }, forMode: .common)
      host.loop.add(GRunLoop.Timer(fireDate: .now(on: .wall) + .seconds(3600)) { _ in }, forMode: .default)
      host.loop.add(
        GRunLoop.Timer(interval: .seconds(3600), tolerance: .seconds(60)) { _ in }, forMode: .default)
      host.loop.add(
        GRunLoop.DescriptorSource(fileDescriptor: pipes[0].reader, events: .readable) { _, _ in }, forMode: .default)
      host.loop.add(GRunLoop.Observer(activities: .all) { _, _ in }, forMode: .common)
      host.loop.perform(inModes: ["elsewhere"]) {}
      Foreign.timeout(milliseconds: 3_600_000) { true }.attach(to: host.loop.context)
      for pipe in pipes { Foreign.readable(pipe.reader) { true }.attach(to: host.loop.context) }
      let iterations = Iterations(of: host.loop.context)
      host.loop.iterate()
      host.settle()
      let before = (host.turns, iterations.count)
      #expect(!host.poll(milliseconds: 300))
      #expect((host.turns, iterations.count) == before)
    }
  }

  @Test("R11 turns when nothing is ready do no harm, and change nothing")
  func turnsInVain() async throws {
    try await withPollingHost { host in
      let log = Log(of: String.self)
      let source = GRunLoop.Source { _ in log.append("source") }
      host.loop.add(source, forMode: .default)
      host.settle()
      for _ in 0..<100 {
        #expect(!host.loop.iterate())
        #expect(!host.isReadable)
      }
      #expect(log.entries.isEmpty)
      source.signal()
      #expect(host.loop.iterate())
      #expect(log.entries == ["source"])
    }
  }

  @Test("R11 without a descriptor it is a turn, for hosts that go round by themselves")
  func withoutDescriptor() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      while loop.iterate() {}
      loop.perform { log.append("perform") }
      Foreign.idle(priority: 200) {
        log.append("idle")
        return false
      }.attach(to: loop.context)
      while loop.iterate() {}
      #expect(log.entries == ["perform", "idle"])
    }
  }
}
