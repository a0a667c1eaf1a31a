import CGLib
import Foundation
import GLibRunLoop

/// Polls the main loop's descriptor and iterates, as a host that is not GLib's does.
@MainActor private func pollMainLoop(until isDone: () -> Bool) throws {
  let loop = GRunLoop.main
  var polled = pollfd(fd: try loop.hostDescriptor(), events: Int16(POLLIN), revents: 0)
  while !isDone() {
    if poll(&polled, 1, 30_000) == 0 { return fail("the descriptor is not readable: a wake-up was lost") }
    loop.iterate()
  }
}

/// Dispatch's main queue and the main actor are served through the descriptor, and cost nothing while idle.
@MainActor func polledMainLoop() throws {
  let log = Log(of: String.self)
  let all = ["dispatch", "from a worker", "main actor", "operation", "sleep", "thousand hops"]
  let note: @MainActor @Sendable (String) -> Void = { name in
    expect(isFirstThread, "\(name) ran on another thread")
    log.append(name)
  }
  // Queued before there is a loop.
  DispatchQueue.main.async { MainActor.assumeIsolated { note("dispatch") } }
  OperationQueue.main.addOperation { MainActor.assumeIsolated { note("operation") } }
  Task { note("main actor") }
  Task {
    try await Task.sleep(for: .milliseconds(20))
    note("sleep")
  }
  Task.detached {
    for _ in 0..<1_000 { await MainActor.run {} }
    await note("thousand hops")
  }
  let loop = GRunLoop.main
  let worker = OtherThread {
    while !loop.isWaiting { sched_yield() }
    DispatchQueue.main.async { MainActor.assumeIsolated { note("from a worker") } }
  }
  try pollMainLoop { log.count == all.count }
  worker.join()
  expectEqual(log.entries.sorted(), all.sorted(), "what ran")

  let descriptor = try loop.hostDescriptor()
  var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while poll(&polled, 1, 0) > 0 { loop.iterate() }
  expectEqual(poll(&polled, 1, 200), 0, "how often an idle host wakes")

  // Inside a block of the queue no other one runs, and the host's nested loop does not spin.
  DispatchQueue.main.async {
    MainActor.assumeIsolated {
      DispatchQueue.main.async { MainActor.assumeIsolated { note("second") } }
      while poll(&polled, 1, 20) > 0 { loop.iterate() }
      note("first")
    }
  }
  try pollMainLoop { log.count == all.count + 2 }
  expectEqual(log.entries.suffix(2), ["first", "second"], "the order of two blocks")
}

/// A forked child that goes on polling what it shares with its parent is refused, with one line, and disturbs nothing.
@MainActor func forkedChildOfPolledLoop() throws {
  let loop = GRunLoop.main
  let log = Log(of: String.self)
  let descriptor = try loop.hostDescriptor()
  loop.iterate()
  expectChild {
    Warnings.capture()
    for _ in 0..<3 { expect(!loop.iterate(), "a turn in the child") }
    expectEqual(Warnings.log.count, 1, "how many lines were said of turns")
    expect(Warnings.log.entries.first?.contains("forked") ?? false, "it says \(Warnings.log.entries)")
    do {
      _ = try loop.hostDescriptor()
      fail("the child has a descriptor of the parent's")
    } catch {
      expectEqual(error as? GRunLoop.Failure, .forked, "the error")
    }
    // GLib code in the child may iterate the parent's context all the same.
    g_main_context_iteration(nil, 0)
  }
  // A call-back may fork in mid-turn.
  loop.perform {
    MainActor.assumeIsolated { expectChild { expect(!loop.iterate(), "a nested turn in the child") } }
    log.append("parent")
  }
  try pollMainLoop { log.count == 1 }
  let other = OtherThread { loop.perform { log.append("perform") } }
  try pollMainLoop { log.count == 2 }
  other.join()
  expectEqual(log.entries, ["parent", "perform"], "what the parent's loop did")
  var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while poll(&polled, 1, 0) > 0 { loop.iterate() }
  expectEqual(poll(&polled, 1, 50), 0, "how often the parent wakes after that")
}

/// A turn whose call-back forks ends in the child before the rest of it.
@MainActor func forkInTurn() throws {
  let loop = GRunLoop.main
  _ = try loop.hostDescriptor()
  loop.iterate()
  let log = Log(of: String.self)
  let parent = getpid()
  loop.perform {
    log.append("first")
    let pid = forkProcess()
    if pid > 0 {
      var status: CInt = 0
      while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
      expectEqual(status, 0, "the child's status")
    }
  }
  loop.add(
    GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, _ in
      if getpid() != parent { fail("an observer in the child") }
    },
    forMode: .common)
  loop.iterate()
  if getpid() != parent {
    fflush(nil)
    _exit(Failures.exitCode)
  }
  loop.perform { log.append("second") }
  try pollMainLoop { log.count == 2 }
}
