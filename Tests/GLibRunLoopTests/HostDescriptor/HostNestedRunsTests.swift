import CGLib
import GLibRunLoop
import Testing

@Suite struct HostNestedRunsTests {
  /// Where a run comes from.
  enum Place: CaseIterable, Sendable {
    /// A call-back of the loop's, in a turn.
    case turn
    /// A call-back of GLib's, in a turn.
    case foreign
    /// A call-back of the host's, between two turns.
    case host
  }

  /// What runs there.
  enum Run: CaseIterable, Sendable {
    case defaultMode, privateMode, mainLoop, iteration
  }

  @Test(
    "R11, R6 after a run in a call-back, or between two turns, the descriptor tells of what that has left",
    arguments: pairs(Place.allCases, Run.allCases))
  func left(_ place: Place, _ run: Run) async throws {
    try await withPollingHost { host in
      let loop = host.loop
      let log = Log(of: String.self)
      let last = GRunLoop.Source { _ in log.append("source") }
      loop.add(last, forMode: .default)
      loop.add(GRunLoop.Source { _ in }, forMode: "private")
      host.settle()
      // Stays on this thread.
      nonisolated(unsafe) let nested = {
        let mainLoop = g_main_loop_new(loop.context, 0)
        // One that stays in its mode, where it can: that it ends would be news of its own.
        let timer = GRunLoop.Timer(interval: .milliseconds(5), repeats: run == .privateMode) { _ in
          log.append("timer")
          // The run ends here, and comes to nothing of this.
          loop.stop()
          g_main_loop_quit(mainLoop)
          last.signal()
          loop.perform(inModes: [.default]) { log.append("perform") }
          Foreign.timeout(milliseconds: 1) {
            log.append("foreign")
            return false
          }.attach(to: loop.context)
        }
        loop.add(timer, forMode: run == .privateMode ? "private" : .default)
        switch run {
        case .defaultMode: loop.run()
        case .privateMode: loop.run(mode: "private", for: .seconds(60))
        case .mainLoop: g_main_loop_run(mainLoop)
        case .iteration: while log.entries.isEmpty { g_main_context_iteration(loop.context, 1) }
        }
        g_main_loop_unref(mainLoop)
      }
      switch place {
      case .turn: loop.perform { nested() }
      case .foreign:
        Foreign.idle {
          nested()
          return false
        }.attach(to: loop.context)
        loop.iterate()
      case .host: nested()
      }
      host.run { log.count == 4 }
      #expect(log.entries.first == "timer")
      #expect(log.entries.sorted() == ["foreign", "perform", "source", "timer"])
      host.settle()
    }
  }

  @Test("R11, T10 a call-back may run the host's own loop, which iterates: a modal dialog")
  func modal() async throws {
    try await withPollingHost { host in
      let loop = host.loop
      let log = Log(of: String.self)
      let other = GRunLoop.Source { _ in log.append("other") }
      loop.add(other, forMode: .default)
      loop.add(
        GRunLoop.Timer(interval: .milliseconds(10), repeats: true) { timer in
          log.append("tick")
          if log.entries.filter({ $0 == "tick" }).count == 3 { timer.invalidate() }
        }, forMode: .default)
      // Stays on this thread.
      nonisolated(unsafe) let modalHost = host
      loop.perform {
        log.append("opened")
        other.signal()
        loop.perform { log.append("inside") }
        modalHost.run { log.entries.filter { $0 == "tick" }.count == 2 }
        log.append("closed")
      }
      host.run { log.entries.filter { $0 == "tick" }.count == 3 }
      let opened = try #require(log.entries.firstIndex(of: "opened"))
      let closed = try #require(log.entries.firstIndex(of: "closed"))
      #expect(log.entries[opened..<closed].contains("inside"))
      #expect(log.entries[opened..<closed].contains("other"))
      host.settle()
      #expect(!host.poll(milliseconds: 20))
    }
  }

  @Test("R11, M7 in a turn the mode is the host's, in a nested run that run's, and after it the host's again")
  func mode() async throws {
    try await withPollingHost { host in
      let loop = host.loop
      let log = Log(of: GRunLoop.Mode.self)
      let note: @Sendable () -> Void = { if let mode = loop.currentMode { log.append(mode) } }
      loop.hostMode = "panel"
      loop.perform(inModes: ["panel"]) {
        note()
        loop.perform(inModes: [.eventTracking]) { note() }
        loop.run(mode: .eventTracking, for: .zero)
        note()
      }
      loop.perform(inModes: [.default]) { log.append(.default) }
      host.settle()
      #expect(log.entries == ["panel", .eventTracking, "panel"])
      loop.hostMode = .default
      host.run { log.count == 4 }
      #expect(log.entries.last == .default)
    }
  }
}
