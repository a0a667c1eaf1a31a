import GLibRunLoop
import Testing

@Suite struct CommonModesTests {
  @Test("M4 the set starts as default, modalPanel and eventTracking", arguments: Driver.allCases)
  func theSet(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let fired = Log(of: GRunLoop.Mode?.self)
      let timer = GRunLoop.Timer(interval: .seconds(3600)) { _ in }
      loop.add(timer, forMode: .common)
      for mode: GRunLoop.Mode in [.default, .connectionReply, .modalPanel, "player", .eventTracking] {
        loop.add(GRunLoop.Source { _ in }, forMode: mode)
        loop.perform(inModes: [.common]) { fired.append(loop.currentMode) }
        driver.poll(loop, mode: mode)
        let isCommon = [.default, .modalPanel, .eventTracking].contains(mode)
        #expect(loop.contains(timer, inMode: mode) == isCommon)
        #expect((loop.nextFireDate(in: mode) == timer.fireDate) == isCommon)
      }
      // What waited while other modes ran comes with the next common one.
      #expect(fired.entries == [.default, .modalPanel, .modalPanel, .eventTracking, .eventTracking])
    }
  }

  @Test("M4 a mode that joins gets what was in the set, and what comes later", arguments: Driver.allCases)
  func modeJoins(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let fired = Log(of: String.self)
      let pipe = BytePipe()
      func addAll(_ name: String) {
        let source = GRunLoop.Source { _ in fired.append("source \(name)") }
        loop.add(source, forMode: .common)
        source.signal()
        loop.add(GRunLoop.Timer(fireDate: .now) { _ in fired.append("timer \(name)") }, forMode: .common)
        let input = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { input, _ in
          fired.append("descriptor \(name)")
          input.invalidate()
        }
        loop.add(input, forMode: .common)
        let observer = GRunLoop.Observer(activities: .beforeSources, repeats: false) { _, _ in
          fired.append("observer \(name)")
        }
        loop.add(observer, forMode: .common)
        loop.perform { fired.append("perform \(name)") }
      }
      pipe.put()
      let kinds = ["descriptor", "observer", "perform", "source", "timer"]
      addAll("before")
      loop.addCommonMode("player")
      addAll("after")
      driver.poll(loop, mode: "player")
      #expect(fired.entries.sorted() == kinds.flatMap { ["\($0) after", "\($0) before"] })
    }
  }

  @Test("M4 the mode that GLib drives in may join while it does")
  func joinsWhileRunning() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let fired = Log(of: String.self)
      let source = GRunLoop.Source { _ in fired.append("source") }
      loop.add(source, forMode: .common)
      source.signal()
      loop.perform(inModes: ["other"]) {
        #expect(fired.entries.isEmpty)
        loop.addCommonMode("other")
      }
      Driver.glib.poll(loop, mode: "other")
      #expect(fired.entries == ["source"])
    }
  }

  @Test("M4, M10 a mode that was run as a private one can join once nothing is left in it")
  func joinsLater() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let source = GRunLoop.Source { _ in }
      loop.add(source, forMode: .common)
      loop.perform(inModes: ["other"]) {}
      loop.run(mode: "other", for: .zero)
      loop.addCommonMode("other")
      #expect(loop.contains(source, inMode: "other"))
    }
  }

  @Test("M4 a mode that was run as a private one and is in use cannot join any more, and that is said")
  func joinsTooLate() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let source = GRunLoop.Source { _ in }
      loop.add(source, forMode: .common)
      loop.add(GRunLoop.Source { _ in }, forMode: "other")
      loop.run(mode: "other", for: .zero)
      let warnings = CapturedWarnings.during {
        loop.addCommonMode("other")
        loop.addCommonMode("")
        // It is one already: nothing to say.
        loop.addCommonMode(.default)
      }
      #expect(warnings.count == 2 && warnings[0].contains("private"))
      #expect(!loop.contains(source, inMode: "other"))
    }
  }

  @Test("M4 common is a set, not a mode: a run in it is refused at once")
  func runInCommon() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      let source = GRunLoop.Source { _ in log.append("source") }
      loop.add(source, forMode: .common)
      source.signal()
      loop.add(GRunLoop.Observer(activities: .all) { _, _ in log.append("observer") }, forMode: .common)
      let warnings = CapturedWarnings.during {
        #expect(loop.run(mode: .common, for: .seconds(3600)) == .finished)
        #expect(!loop.run(mode: .common, before: .distantFuture))
        loop.hostMode = .common
        loop.addCommonMode(.common)
      }
      #expect(log.entries.isEmpty)
      #expect(loop.hostMode == .default)
      #expect(warnings.count == 4 && warnings.allSatisfy { $0.contains("common") })
    }
  }

  @Test("M4 leaving the set leaves all of its modes", arguments: Driver.allCases)
  func leaving(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let fired = Log(of: String.self)
      let source = GRunLoop.Source { _ in fired.append("source") }
      loop.add(source, forMode: .common)
      loop.remove(source, forMode: .common)
      source.signal()
      for mode: GRunLoop.Mode in [.default, .modalPanel, .eventTracking] {
        #expect(!loop.contains(source, inMode: mode))
        driver.poll(loop, mode: mode)
      }
      #expect(fired.entries.isEmpty)
    }
  }
}
