import GLibRunLoop
import Testing

@Suite struct PerformIsSourceTests {
  @Test(
    "P8 a pass that ran a perform has handled a source", arguments: [.default, .idle, .high] as [GRunLoop.Priority])
  func handled(priority: GRunLoop.Priority) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      let log = Log(of: Int.self)
      loop.perform(priority: priority) { log.append(1) }
      #expect(loop.run(mode: .default, for: .seconds(30), returnAfterSourceHandled: true) == .handledSource)
      #expect(log.count == 1)
      loop.perform(priority: priority) { log.append(2) }
      #expect(loop.run(mode: .default, before: .distantFuture))
      #expect(log.count == 2)
    }
  }

  @Test("P8 a thread that waits in run(mode:before:) sees what a perform from another one did")
  func waiting() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      let log = Log(of: Int.self)
      let next = Gate<Void>()
      let thread = TestThread {
        for index in 1...100 {
          loop.perform { log.append(index) }
          next.wait()
        }
      }
      for index in 1...100 {
        // Without an end of its own.
        while log.count < index { #expect(loop.run(mode: .default, before: .distantFuture)) }
        next.open()
      }
      thread.join()
      #expect(log.entries == Array(1...100))
    }
  }

  @Test("P8 so has one that somebody waits for, and one that was queued by a call-back of the pass")
  func others() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      let thread = TestThread { try? loop.performAndWait {} }
      #expect(loop.run(mode: .default, for: .seconds(30), returnAfterSourceHandled: true) == .handledSource)
      thread.join()
      loop.add(GRunLoop.Timer(interval: .milliseconds(2)) { _ in loop.perform {} }, forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(30), returnAfterSourceHandled: true) == .handledSource)
    }
  }

  @Test("P8 a delayed one is a timer and does not count", arguments: [.default, .idle] as [GRunLoop.Priority])
  func delayed(priority: GRunLoop.Priority) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      let log = Log(of: Int.self)
      for delay in [0, 2] { loop.perform(after: .milliseconds(delay), priority: priority) { log.append(delay) } }
      loop.perform(after: .milliseconds(10), priority: priority) { loop.stop() }
      #expect(loop.run(mode: .default, for: .seconds(30), returnAfterSourceHandled: true) == .stopped)
      #expect(log.entries == [0, 2])
    }
  }

  @Test("P8 a cancelled one does not count")
  func cancelled() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      loop.perform(order: 1) { Issue.record("it ran") }.cancel()
      #expect(loop.run(mode: .default, for: .zero, returnAfterSourceHandled: true) == .timedOut)
    }
  }
}
