import GLibRunLoop
import Testing

@Suite(.patient) struct PerformAndWaitModesTests {
  @Test("P9 it runs in the first of its modes that the loop is in, and is waited for", arguments: Driver.allCases)
  func inMode(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let log = Log(of: GRunLoop.Mode?.self)
      let done = Gate<Void>()
      let thread = TestThread {
        #expect(
          throws: Never.self,
          performing: {
            let mode = try loop.performAndWait(inModes: ["private", "other"]) { loop.currentMode }
            log.append(mode)
          })
        done.open()
      }
      while !loop.debugDescription.contains("mode private: 0 items, performs queued") { await Task.yield() }
      try await loop.settle()
      #expect(log.entries.isEmpty)
      try await loop.performAndWait {
        #expect(loop.run(mode: "private", for: .seconds(300), returnAfterSourceHandled: true) == .handledSource)
      }
      done.wait()
      thread.join()
      #expect(log.entries == ["private"])
      // It was queued in two modes, and runs once.
      #expect(try await loop.performAndWait { loop.run(mode: "other", for: .zero) } == .finished)
    }
  }

  @Test("P9, P3 with a time limit it throws, and does not run later; without a mode it is refused")
  func limits() async throws {
    try await withDrivenLoop(.swift) { loop in
      TestThread {
        #expect(throws: GRunLoop.Failure.timedOut) {
          try loop.performAndWait(inModes: ["private"], timeout: .milliseconds(1)) { Issue.record("it ran") }
        }
        #expect(throws: GRunLoop.Failure.refused("the perform names no mode")) {
          try loop.performAndWait(inModes: []) { Issue.record("it ran") }
        }
      }.join()
      await #expect(throws: GRunLoop.Failure.refused("the perform names no mode")) {
        try await loop.performAndWait(inModes: []) { Issue.record("it ran") }
      }
      _ = try await loop.performAndWait { loop.run(mode: "private", for: .zero) }
    }
  }

  @Test("P9, P3 on the loop's own thread it runs at once; when the loop ends it throws", arguments: Driver.allCases)
  func ownThreadAndEnd(_ driver: Driver) async throws {
    let worker = DrivenWorker(driver)
    let loop = worker.loop
    #expect(try await loop.performAndWait { try loop.performAndWait(inModes: ["private"]) { 7 } } == 7)
    let thread = TestThread {
      #expect(throws: GRunLoop.Failure.ended) {
        try loop.performAndWait(inModes: ["private"]) { Issue.record("it ran") }
      }
    }
    while !loop.debugDescription.contains("mode private: 0 items, performs queued") { await Task.yield() }
    worker.finish()
    thread.join()
  }
}
