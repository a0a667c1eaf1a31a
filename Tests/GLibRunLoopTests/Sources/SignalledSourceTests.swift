import GLibRunLoop
import Testing

@Suite struct SignalledSourceTests {
  @Test("S1 signals coalesce, and the source fires once, on the next pass", arguments: Driver.allCases)
  func firesOnceOnTheNextPass(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      let passes = GRunLoop.Observer(activities: .beforeTimers) { _, _ in log.append("pass") }
      let source = GRunLoop.Source { source in
        // A signal that came from now on would be another one.
        log.append(source.isSignalled ? "source, still signalled" : "source")
        drive.quit()
      }
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in
        for _ in 0..<3 { source.signal() }
        #expect(source.isSignalled)
        log.append("timer")
      }
      drive.loop.add(passes, forMode: .default)
      drive.loop.add(source, forMode: .default)
      drive.loop.add(timer, forMode: .default)
      drive.run()
      for _ in 0..<3 { drive.poll() }
      #expect(log.filter { $0 != "pass" } == ["timer", "source"])
      let index = try #require(log.firstIndex(of: "timer"))
      #expect(log.dropFirst(index).prefix(3) == ["timer", "pass", "source"])
    }
  }

  @Test("S1 a signal given inside its own handler fires it in the next pass", arguments: Driver.allCases)
  func ownSignalWaitsForTheNextPass(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      let passes = GRunLoop.Observer(activities: .beforeTimers) { _, _ in log.append("pass") }
      let source = GRunLoop.Source { source in
        log.append("source")
        if log.count(where: { $0 == "source" }) == 4 { return drive.quit() }
        source.signal()
        source.signal()
      }
      drive.loop.add(passes, forMode: .default)
      drive.loop.add(source, forMode: .default)
      source.signal()
      drive.run()
      let index = try #require(log.firstIndex(of: "source"))
      #expect(log.dropFirst(index).prefix(7) == ["source", "pass", "source", "pass", "source", "pass", "source"])
      #expect(log.count(where: { $0 == "source" }) == 4)
    }
  }

  @Test("S1 a signal given before the source is added is kept", arguments: Driver.allCases)
  func earlySignalIsKept(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let source = GRunLoop.Source { _ in
        calls += 1
        drive.quit()
      }
      source.signal()
      drive.loop.add(source, forMode: .default)
      drive.run()
      drive.poll()
      #expect(calls == 1)
    }
  }

  @Test("S1 a source in several modes fires once for one signal", arguments: Driver.allCases)
  func firesOnceInSeveralModes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let source = GRunLoop.Source { _ in calls += 1 }
      for mode in [GRunLoop.Mode.default, .common, "other", .modalPanel] { drive.loop.add(source, forMode: mode) }
      source.signal()
      for _ in 0..<3 { drive.poll() }
      for mode in [GRunLoop.Mode("other"), .modalPanel] { drive.loop.run(mode: mode, for: .zero) }
      #expect(calls == 1)
      source.signal()
      drive.loop.run(mode: "other", for: .zero)
      for _ in 0..<3 { drive.poll() }
      #expect(calls == 2)
    }
  }
}
