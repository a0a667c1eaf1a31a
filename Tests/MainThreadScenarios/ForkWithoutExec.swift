import CGLib
import GLibRunLoop
import Glibc
import Synchronization

/// Swift hides `fork`, for good reasons; programs written in C call it all the same.
func forkProcess() -> pid_t {
  // What the library's lock makes at its first contention is made now: two threads of a forked child that come to it at
  // once would hang in Swift's runtime, whose lock takes the child's first thread for the parent's (Swift 6.3.1).
  let word = Atomic<UInt32>(0)
  withUnsafePointer(to: word) { _ in }
  let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)
  return fork()
}

/// Exits the child with what it found, and in the parent expects that it found nothing.
@MainActor func expectChild(_ child: @MainActor () -> Void, meanwhile: @MainActor () -> Void = {}) {
  fflush(nil)
  let pid = forkProcess()
  if pid == 0 {
    alarm(300)
    child()
    fflush(nil)
    _exit(Failures.exitCode)
  }
  meanwhile()
  var status: CInt = 0
  while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
  expectEqual(status, 0, "the child's status")
}

/// In the child every use of a loop of the parent's, the main one and a worker's, is refused with a line that says why.
@MainActor func forkedChildIsRefused() {
  let loop = GRunLoop.main
  let worker = WorkerLoop()
  worker.settle()
  let source = GRunLoop.Source { _ in fail("a source fired in the child") }
  let timer = GRunLoop.Timer(interval: .zero) { _ in fail("a timer fired in the child") }
  loop.add(source, forMode: .common)
  loop.add(timer, forMode: .default)
  expectChild {
    Warnings.capture()
    for loop in [loop, worker.loop, GRunLoop.current, GRunLoop.main] {
      expectRefusal("perform") { loop.perform { fail("a perform ran in the child") } }
      expectRefusal("perform in modes") { loop.perform(inModes: [.default]) { fail("a perform ran in the child") } }
      expectRefusal("perform after a delay") {
        loop.perform(after: .zero) { fail("a perform ran in the child") }
      }
      expectRefusal("run") { loop.run(mode: .default, for: .zero) }
      expectRefusal("run()") { loop.run() }
      expectRefusal("run(mode:before:)") { expect(!loop.run(mode: .default, before: .distantPast), "it ran") }
      expectRefusal("stop") { loop.stop() }
      expectRefusal("wakeUp") { loop.wakeUp() }
      expectRefusal("add") {
        let added = loop.add(GRunLoop.Source(sendableHandler: { _ in }), forMode: .default)
        expect(!added, "a source was added in the child")
      }
      expectRefusal("addCommonMode") { loop.addCommonMode("mine") }
      do {
        let value = try loop.performAndWait(timeout: .seconds(5)) { 1 }
        fail("performAndWait gave \(value) in the child")
      } catch {
        expectEqual(error as? GRunLoop.Failure, .forked, "performAndWait's error")
      }
    }
    expectRefusal("signal") { source.signal() }
    expectRefusal("remove") { loop.remove(source, forMode: .common) }
    expectRefusal("invalidate") { timer.invalidate() }
    expect(GRunLoop.Failure.forked.description.contains("fork"), "the message does not speak of the fork")
  }
  // The parent's loop is as it was.
  let log = Log(of: String.self)
  timer.invalidate()
  source.invalidate()
  loop.perform { log.append("perform") }
  loop.run(mode: .default, for: .zero)
  expectEqual(log.entries, ["perform"], "what the parent's loop did after the fork")
  worker.finish()
}

@MainActor private func expectRefusal(_ call: String, _ body: () -> Void) {
  let count = Warnings.log.count
  body()
  let said = Warnings.log.entries.dropFirst(count)
  expect(said.contains { $0.contains("this process was forked") }, "\(call) in the child said \(Array(said))")
}
