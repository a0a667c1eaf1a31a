import CGLib
import Dispatch
import GLibRunLoop
import Glibc
import Synchronization

/// A host runs the default context on a thread that is not the first: the main loop is that thread's.
@MainActor func defaultContextRunByOtherThread() throws {
  Warnings.capture()
  let up = Gate()
  let host = OtherThread {
    let mainLoop = g_main_loop_new(nil, 0)
    g_idle_add(
      { up in
        Unmanaged<Gate>.fromOpaque(up!).takeUnretainedValue().open()
        return 0
      }, Unmanaged.passUnretained(up).toOpaque())
    quitHost.store { g_main_loop_quit(mainLoop) }
    g_main_loop_run(mainLoop)
    g_main_loop_unref(mainLoop)
  }
  up.wait()
  try expectMainLoopBelongs(to: host)
}

/// A host that iterates it by hand lets go of it between two turns; asking just then must not take it away.
@MainActor func defaultContextIteratedByOtherThread() throws {
  Warnings.capture()
  let pause = Gate()
  let asked = Gate()
  let host = OtherThread {
    let goesOn = Log(of: Bool.self)
    quitHost.store { goesOn.append(false) }
    g_main_context_iteration(nil, 0)
    pause.open()
    asked.wait()
    while goesOn.entries.isEmpty { g_main_context_iteration(nil, 1) }
  }
  pause.wait()
  _ = GRunLoop.main
  asked.open()
  let hostIterates = Gate()
  GRunLoop.main.perform { hostIterates.open() }
  hostIterates.wait()
  try expectMainLoopBelongs(to: host)
}

private let quitHost = Action()

/// Asks on the first thread and on another one; neither is the loop's.
@MainActor private func expectMainLoopBelongs(to host: OtherThread) throws {
  let main = GRunLoop.main
  expect(g_main_context_is_owner(main.context) == 0, "the first thread took the default context from its host")
  main.perform { expect(pthread_self() == host.id, "a perform ran elsewhere than on the host's thread") }
  expectEqual(try main.performAndWait(timeout: .seconds(60)) { pthread_self() }, host.id, "performAndWait's thread")
  expect(!main.isCurrent, "the first thread takes itself for the main loop's")
  let hostIsCurrent = try main.performAndWait(timeout: .seconds(60)) { GRunLoop.main.isCurrent }
  expect(hostIsCurrent, "the host's thread is not the main loop's")
  main.run(mode: .default, for: .zero)
  expect(Warnings.contain("only the loop's own thread can run it"), "a run of the host's loop was not refused")
  let third = OtherThread {
    let thread = try? GRunLoop.main.performAndWait(timeout: .seconds(60)) { pthread_self() }
    expectEqual(thread, host.id, "a third thread's performAndWait")
  }
  third.join()

  // Dispatch would trap if its main queue were drained there; the loop says so, and goes on.
  DispatchQueue.main.async { fail("the main queue was served on a thread that is not the first") }
  let served = Gate()
  let poll = GRunLoop.Timer(
    interval: .milliseconds(1), repeats: true,
    sendableHandler: { _ in
      if Warnings.contain("the main queue is not served") { served.open() }
    })
  main.add(poll, forMode: .common)
  served.wait()
  poll.invalidate()
  main.perform { quitHost.run() }
  host.join()
}
