import GLibRunLoop
import Testing

@Suite struct RunFromAnotherThreadTests {
  @Test("L4 running another thread's loop is an error that says so, while that one runs it")
  func whileItRuns() throws {
    let worker = LoopWorker()
    // After this its own run has begun, and the observers below hear of others only.
    try worker.loop.performAndWait {}
    refuse(worker.loop)
    // And the run over there goes on.
    #expect(try worker.loop.performAndWait { GRunLoop.current.isCurrent })
    worker.finish()
  }

  @Test("L4 likewise while nobody runs it")
  func whileNobodyDoes() {
    let made = Gate<GRunLoop>()
    let leave = Gate<Void>()
    let thread = TestThread {
      // Something to wait for: an empty mode would return anyway.
      GRunLoop.current.add(GRunLoop.Source { _ in }, forMode: .common)
      made.open(.current)
      leave.wait()
    }
    refuse(made.wait())
    leave.open()
    thread.join()
  }

  @Test("L4 likewise for a loop in a GLib thread's context")
  func adopted() throws {
    let host = GLibThread()
    let loop = GRunLoop.loop(for: host.context)
    loop.add(GRunLoop.Source(sendableHandler: { _ in }), forMode: .common)
    refuse(loop)
    #expect(try loop.performAndWait { 1 } == 1)
    host.finish()
  }

  private func refuse(_ loop: GRunLoop) {
    let ran = Log(of: GRunLoop.Activities.self)
    let observer = GRunLoop.Observer(activities: [.entry, .exit], sendableHandler: { _, now in ran.append(now) })
    loop.add(observer, forMode: .common)
    let limit = GRunLoop.Instant.now.advanced(by: .seconds(3600))
    let warnings = CapturedWarnings.during {
      loop.run()
      loop.run(until: limit)
      #expect(!loop.run(mode: .default, before: limit))
      #expect(loop.run(mode: .default, for: .seconds(3600)) == .finished)
    }
    #expect(warnings.count == 4)
    #expect(warnings.allSatisfy { $0.contains("refused") && $0.contains("thread") })
    #expect(ran.entries.isEmpty)
  }
}
