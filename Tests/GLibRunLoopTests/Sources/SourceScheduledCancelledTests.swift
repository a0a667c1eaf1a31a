import GLibRunLoop
import Testing

@Suite struct SourceScheduledCancelledTests {
  private static func logging(_ log: Log<String>) -> GRunLoop.Source {
    GRunLoop.Source(
      onScheduled: { _, _, mode in log.append("+\(mode)") }, onCancelled: { _, _, mode in log.append("-\(mode)") },
      sendableHandler: { _ in })
  }

  @Test("S4 scheduled and cancelled are called once for each mode, also on invalidation")
  func oncePerMode() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      let source = Self.logging(log)
      for mode in [GRunLoop.Mode.default, "a", "a", "b"] { loop.add(source, forMode: mode) }
      #expect(log.entries == ["+default", "+a", "+b"])
      loop.remove(source, forMode: "a")
      loop.remove(source, forMode: "a")
      loop.remove(source, forMode: "never added")
      #expect(log.entries == ["+default", "+a", "+b", "-a"])
      loop.add(source, forMode: "a")
      source.invalidate()
      source.invalidate()
      #expect(log.entries.prefix(5) == ["+default", "+a", "+b", "-a", "+a"])
      #expect(log.entries.dropFirst(5).sorted() == ["-a", "-b", "-default"])
    }
  }

  @Test("S4 the source's loop and mode are told, on the loop's thread for a handler that is not Sendable")
  func whatIsTold() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var told: [(GRunLoop.Source, GRunLoop, GRunLoop.Mode)] = []
      let source = GRunLoop.Source(
        onScheduled: { told.append(($0, $1, $2)) }, onCancelled: { told.append(($0, $1, $2)) }, handler: { _ in })
      loop.add(source, forMode: "a")
      let thread = TestThread { source.invalidate() }
      thread.join()
      loop.run(mode: .default, for: .zero)
      loop.perform {}
      loop.run(mode: .default, for: .zero)
      #expect(told.count == 2)
      #expect(told.allSatisfy { $0 === source && $1 === loop && $2 == "a" })
    }
  }

  @Test("S4 cancelled is called for each mode when the loop ends")
  func loopEnds() throws {
    let log = Log(of: String.self)
    let thread = TestThread {
      let loop = GRunLoop.current
      let source = Self.logging(log)
      let local = GRunLoop.Source(onCancelled: { _, _, mode in log.append("-\(mode), local") }, handler: { _ in })
      for mode in [GRunLoop.Mode.default, "a"] { loop.add(source, forMode: mode) }
      loop.add(local, forMode: "b")
    }
    thread.join()
    #expect(log.entries.prefix(2) == ["+default", "+a"])
    #expect(log.entries.dropFirst(2).sorted() == ["-a", "-b, local", "-default"])
  }

  @Test("S4 the call-backs are made without a lock: every call is possible in them, from other threads too")
  func noLockIsHeld() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      let useTheLoop: @Sendable (GRunLoop.Source, GRunLoop, GRunLoop.Mode) -> Void = { source, loop, _ in
        let body: @Sendable () -> Void = {
          let other = GRunLoop.Source { _ in }
          let timer = GRunLoop.Timer(fireDate: .distantFuture, sendableHandler: { _ in })
          loop.add(timer, forMode: .default)
          timer.fireDate = .now
          timer.invalidate()
          source.signal()
          loop.perform { log.append("perform") }
          loop.wakeUp()
          other.invalidate()
        }
        body()
        // Another thread would wait for ever if the caller held a lock.
        TestThread(body).join()
        log.append("done")
      }
      let source = GRunLoop.Source(onScheduled: useTheLoop, onCancelled: useTheLoop, sendableHandler: { _ in })
      loop.add(source, forMode: .default)
      source.invalidate()
      loop.run(until: .distantPast)
      #expect(log.entries.filter { $0 == "done" }.count == 2)
      #expect(log.entries.filter { $0 == "perform" }.count == 4)
    }
  }
}
