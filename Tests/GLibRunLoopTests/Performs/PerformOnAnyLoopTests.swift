import GLibRunLoop
import Testing

@Suite struct PerformOnAnyLoopTests {
  /// Whose loop it is, and who drives it.
  enum Place: CaseIterable, Sendable {
    /// A thread's own loop that Swift runs.
    case swiftThread
    /// A thread's own loop that GLib runs.
    case glibThread
    /// A context that some other code made and runs.
    case adoptedContext

    /// Calls `body` on this thread with such a loop, running on another one.
    func withLoop(_ body: (GRunLoop) throws -> Void) rethrows {
      switch self {
      case .swiftThread:
        let worker = LoopWorker()
        defer { worker.finish() }
        try body(worker.loop)
      case .glibThread:
        let gate = Gate<Drive>()
        let thread = TestThread {
          let drive = Drive(.glib)
          gate.open(drive)
          drive.run(limit: .seconds(100))
        }
        let drive = gate.wait()
        defer {
          drive.loop.perform { drive.quit() }
          thread.join()
        }
        try body(drive.loop)
      case .adoptedContext:
        let thread = GLibThread()
        defer { thread.finish() }
        try body(.loop(for: thread.context))
      }
    }
  }

  @Test("P7 every kind of perform works alike on any thread's loop", arguments: Place.allCases)
  func alike(_ place: Place) throws {
    try place.withLoop { loop in
      let log = Log(of: String.self)
      @Sendable func ran(_ name: String) { log.append(loop.isCurrent ? name : "\(name) on a wrong thread") }
      for round in 1...20 {
        let done = Gate<Void>()
        let target = log
        // One batch: what is cancelled cannot have begun.
        try loop.performAndWait {
          loop.perform { ran("plain") }
          loop.perform(order: -1) { ran("ordered") }
          loop.perform(inModes: ["elsewhere"]) { ran("elsewhere") }
          loop.perform(target: target, name: "n") { ran("cancelled by name") }
          loop.perform(order: 7) { ran("cancelled by token") }.cancel()
          loop.perform(after: .milliseconds(1)) {
            ran("delayed")
            loop.perform(priority: .idle) {
              ran("idle")
              done.open()
            }
          }
          loop.cancelPerforms(target: target, name: "n")
        }
        done.wait()
        let names = log.entries.suffix(4)
        #expect(names.filter { $0 == "ordered" || $0 == "plain" } == ["ordered", "plain"])
        // A slow machine may find it due before the others have had their pass.
        #expect(names.filter { $0 == "delayed" || $0 == "idle" } == ["delayed", "idle"])
        #expect(log.count == round * 4)
      }
      let value = try loop.performAndWait(timeout: .seconds(60)) { 3 }
      #expect(value == 3)
    }
  }
}
