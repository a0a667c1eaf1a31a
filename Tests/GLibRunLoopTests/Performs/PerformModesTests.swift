import GLibRunLoop
import Testing

@Suite struct PerformModesTests {
  @Test("P1 common if no mode is given: it runs in each mode of the set, and waits in others")
  func commonByDefault() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.addCommonMode("joined")
      for mode: GRunLoop.Mode in [.default, .modalPanel, .eventTracking, "joined"] {
        let log = Log(of: String.self)
        loop.perform { log.append("plain") }
        loop.perform(order: 1) { log.append("with details") }
        loop.add(GRunLoop.Source { _ in }, forMode: "private")
        loop.run(mode: "private", for: .zero)
        #expect(log.entries.isEmpty)
        #expect(loop.run(mode: mode, for: .zero) == .timedOut)
        #expect(log.entries == ["plain", "with details"])
      }
    }
  }

  @Test("P1, M2 for given modes: it waits for the first of them that comes, and runs once")
  func givenModes() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      for first: GRunLoop.Mode in ["a", "b"] {
        let log = Log(of: GRunLoop.Mode?.self)
        loop.perform(inModes: ["a", "b", "a"]) { log.append(loop.currentMode) }
        loop.perform {}
        loop.run(mode: .default, for: .zero)
        #expect(log.entries.isEmpty)
        loop.run(mode: first, for: .zero)
        #expect(log.entries == [first])
        #expect(loop.run(mode: "a", for: .zero) == .finished, "it is gone from its other modes")
        #expect(loop.run(mode: "b", for: .zero) == .finished)
        #expect(log.count == 1)
      }
    }
  }

  @Test("P1, M5 a queued perform alone keeps its mode alive, and that is all it does")
  func keepsAlive() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: Int.self)
      loop.perform(inModes: ["a"]) { log.append(1) }
      #expect(loop.run(mode: .default, for: .zero) == .finished)
      #expect(loop.run(mode: "a", for: .seconds(30)) == .finished)
      #expect(log.count == 1)
      loop.perform(inModes: ["a"], priority: .idle) { log.append(2) }
      #expect(loop.run(mode: "a", for: .seconds(30)) == .finished)
      #expect(log.entries == [1, 2])
    }
  }

  @Test("P1 when GLib drives: in the host mode, in that of a nested run, not in others")
  func glibDrives() async throws {
    try await onLoopThread {
      let drive = Drive(.glib)
      let loop = drive.loop
      let log = Log(of: String.self)
      loop.perform(inModes: ["private"]) { log.append("private") }
      loop.perform(inModes: [.default]) {
        log.append("default")
        loop.run(mode: "private", for: .zero)
        drive.quit()
      }
      drive.run()
      #expect(log.entries == ["default", "private"])
      loop.hostMode = "hosted"
      loop.perform(inModes: [.default]) { log.append("not here") }
      loop.perform(inModes: ["hosted"]) { log.append("hosted") }
      drive.poll()
      #expect(log.entries == ["default", "private", "hosted"])
    }
  }

  @Test("P1 without a mode, or with a nameless one, it is refused with one line and its token does nothing")
  func noModes() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      let warnings = CapturedWarnings.during {
        loop.perform(inModes: []) { log.append("none") }.cancel()
        loop.perform(inModes: [""]) { log.append("nameless") }.cancel()
        loop.perform(inModes: [], after: .zero) { log.append("later") }.cancel()
        loop.perform(inModes: [], priority: .idle, target: loop, name: "x") { log.append("idle") }
        loop.cancelPerforms(target: loop)
        loop.perform(inModes: ["", .default]) { log.append("the named one") }
      }
      #expect(warnings.count == 5)
      loop.run(until: .distantPast)
      #expect(log.entries == ["the named one"])
    }
  }
}
