import Dispatch
import GLibRunLoop

/// The first run of the main loop that waits for a source waits for one; what Dispatch's main queue has is one.
@MainActor func firstRunOfMainLoop() {
  let loop = GRunLoop.main
  var fired = false
  let timer = GRunLoop.Timer(interval: .milliseconds(5)) { (_: GRunLoop.Timer) in fired = true }
  loop.add(timer, forMode: .default)
  let result = loop.run(mode: .default, for: .milliseconds(50), returnAfterSourceHandled: true)
  expectEqual(result, .timedOut, "a run with nothing but a timer")
  expect(fired, "the timer did not fire")
  let log = Log(of: Int.self)
  DispatchQueue.main.async { log.append(1) }
  expect(loop.run(mode: .default, before: .distantFuture), "the main loop was empty")
  expectEqual(log.entries, [1], "what the main queue had")
}

/// What was queued before there was a main loop is served in its first run.
@MainActor func firstRunFindsMainQueue() {
  let log = Log(of: Int.self)
  DispatchQueue.main.async { log.append(1) }
  expect(GRunLoop.main.run(mode: .default, before: .distantFuture), "the main loop was empty")
  expectEqual(log.entries, [1], "what the main queue had")
}
