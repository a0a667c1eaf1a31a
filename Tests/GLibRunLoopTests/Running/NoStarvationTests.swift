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
  func goOn(_ driver: Driver, _ flood: Flood) throws {
    try onLoopThread {
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

  @Test(
    "R10 a flood from other threads does not keep the loop from its timers and from GLib's", arguments: Driver.allCases)
  func otherThreads(_ driver: Driver) throws {
    try onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let isOver = Log(of: Bool.self)
      let threads = (0..<2).map { _ in
        TestThread {
          let room = Gate<Void>()
          while isOver.count == 0 {
            // A batch at a time, so that memory stays small.
            for _ in 0..<100 { loop.perform {} }
            loop.perform { room.open() }
            room.wait()
          }
        }
      }
      var (ticks, foreign) = (0, 0)
      func check() { if ticks >= 20 && foreign >= 20 { drive.quit() } }
      loop.add(
        GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in
          ticks += 1
          check()
        }, forMode: .default)
      Foreign.idle {
        foreign += 1
        check()
        return foreign < 1000
      }.attach(to: loop.context)
      drive.run()
      #expect(ticks >= 20 && foreign >= 20)
      isOver.append(true)
      // They may still wait for a last batch.
      let joiner = TestThread {
        for thread in threads { thread.join() }
        loop.perform { drive.quit() }
      }
      drive.run()
      joiner.join()
    }
  }
}
