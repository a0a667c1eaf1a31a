import CGLib
import GLibRunLoop
import Testing

@Suite struct KeepAliveTests {
  @Test("M5 foreign sources of the host context do not keep a mode alive")
  func foreignAlone() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      #expect(!loop.keepAlive)
      Foreign.idle {
        log.append("idle")
        return true
      }.attach(to: loop.context)
      #expect(loop.run(mode: .default, for: .seconds(3600)) == .finished)
      loop.run()
      #expect(log.entries.isEmpty)
    }
  }

  @Test("M5 unless they are asked to: keepAlive, in the modes of the common set")
  func keptAlive() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.keepAlive = true
      for mode: GRunLoop.Mode in [.default, .modalPanel] {
        let log = Log(of: Int.self)
        Foreign.timeout(milliseconds: 1) {
          log.append(log.count)
          if log.count == 3 { loop.stop() }
          return log.count < 3
        }.attach(to: loop.context)
        #expect(loop.run(mode: mode, for: .seconds(60)) == .stopped)
        #expect(log.count == 3)
      }
      // A private mode does not hear them, so that they are no reason to wait there.
      #expect(loop.run(mode: "private", for: .seconds(3600)) == .finished)
    }
  }

  @Test("M5 taking keepAlive back ends the run that it kept, from another thread too")
  func takenBack() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.keepAlive = true
      let asleep = Gate<Void>()
      loop.add(GRunLoop.Observer(activities: .beforeWaiting) { _, _ in asleep.open() }, forMode: .common)
      let other = TestThread {
        asleep.wait()
        loop.keepAlive = false
      }
      #expect(loop.run(mode: .default, for: .seconds(60)) == .finished)
      other.join()
    }
  }
}
