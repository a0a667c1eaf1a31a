import GLibRunLoop
import Testing

@Suite struct NoStarvationTests {
  /// What never stops having work.
  enum Flood: CaseIterable, Sendable {
    case performs, source, descriptor, timer, foreign

    func start(on loop: GRunLoop, _ pipe: BytePipe) {
      switch self {
      case .performs:
        for _ in 0..<10 { Self.repost(on: loop) }
      case .source:
        let source = GRunLoop.Source { $0.signal() }
        loop.add(source, forMode: .default)
        source.signal()
      case .descriptor:
        pipe.put()
        // Nobody reads.
        loop.add(
          GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in }, forMode: .default)
      case .timer:
        let timer = GRunLoop.Timer(fireDate: .now, interval: .seconds(1), repeats: true) { $0.fireDate = .now }
        loop.add(timer, forMode: .default)
      case .foreign:
        Foreign.idle { true }.attach(to: loop.context)
      }
    }

    private static func repost(on loop: GRunLoop) { loop.perform { repost(on: loop) } }
  }

  @Test(
    "R10 timers, sources, performs and GLib's sources of the same priority go on beside a flood",
    arguments: pairs(Driver.allCases, Flood.allCases))
  func goOn(_ driver: Driver, _ flood: Flood) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let (pipe, own, foreign) = (BytePipe(), BytePipe(), BytePipe())
      var calls: [String: Int] = [:]
      // Each has its turn many times, or the run does not end.
      let kinds = ["timer", "source", "descriptor", "idle", "time-out", "foreign descriptor", "perform"]
      func called(_ kind: String) -> Bool {
        calls[kind, default: 0] += 1
        let isDone = kinds.allSatisfy { calls[$0, default: 0] >= 20 }
        if isDone { drive.quit() }
        return !isDone
      }
      flood.start(on: loop, pipe)
      let source = GRunLoop.Source { _ in _ = called("source") }
      loop.add(source, forMode: .default)
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in
        _ = called("timer")
        source.signal()
        own.put()
        foreign.put()
        nonisolated(unsafe) let called = called
        loop.perform { _ = called("perform") }
      }
      loop.add(timer, forMode: .default)
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: own.readEnd, events: .readable) { _, _ in
        own.take()
        _ = called("descriptor")
      }
      loop.add(descriptor, forMode: .default)
      Foreign.idle { called("idle") }.attach(to: loop.context)
      Foreign.timeout(milliseconds: 1) { called("time-out") }.attach(to: loop.context)
      Foreign.readable(foreign.readEnd) {
        foreign.take()
        return called("foreign descriptor")
      }.attach(to: loop.context)
      drive.run()
      for kind in kinds { #expect(calls[kind, default: 0] >= 20, "\(kind) starved") }
      descriptor.invalidate()
    }
  }
}
