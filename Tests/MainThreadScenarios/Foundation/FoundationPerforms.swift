import CGLib
import Foundation
import GLibRunLoop
import RunLoopFoundation

/// `RunLoop.main.perform` from every kind of call-back on the main thread is done before the loop sleeps.
@MainActor func foundationPerforms() {
  GRunLoop.serveFoundation()
  let drive = MainDrive()
  let log = Log(of: String.self)
  let note: @Sendable (String) -> Void = { name in
    expect(isFirstThread, "\(name) ran on another thread")
    log.append(name)
  }
  let loop = GRunLoop.main
  RunLoop.main.perform { note("before the run") }
  loop.perform {
    RunLoop.main.perform {
      note("from a perform")
      RunLoop.main.perform { note("from one of Foundation's") }
    }
  }
  loop.add(
    GRunLoop.Timer(interval: .milliseconds(5)) { (_: GRunLoop.Timer) in RunLoop.main.perform { note("from a timer") } },
    forMode: .common)
  _ = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { _ in
    RunLoop.main.perform { note("from a timer of Foundation's") }
  }
  Task { RunLoop.main.perform(inModes: [.common]) { note("from a task") } }
  foundationNote.store { RunLoop.main.perform { note("from GLib's source") } }
  g_timeout_add(
    5,
    { _ in
      foundationNote.run()
      return 0
    }, nil)
  let all = [
    "before the run", "from GLib's source", "from a perform", "from a task", "from a timer",
    "from a timer of Foundation's", "from one of Foundation's",
  ]
  // Looks after all else, before the sleep. A timer that looks would wake the loop, and hide what waits.
  let done = GRunLoop.Observer(activities: .beforeWaiting, order: .max) { (_: GRunLoop.Observer, _) in
    if log.count == all.count { drive.quit() }
  }
  loop.add(done, forMode: .common)
  drive.run()
  expectEqual(log.entries.sorted(), all, "what ran")
}

private let foundationNote = Action()

/// From another thread Foundation does not wake its loop; a wake-up of the main loop does.
@MainActor func foundationPerformFromOtherThread() {
  GRunLoop.serveFoundation()
  let drive = MainDrive()
  let loop = GRunLoop.main
  let performer = OtherThread {
    while !loop.isWaiting { sched_yield() }
    RunLoop.main.perform {
      expect(isFirstThread, "it ran on another thread")
      MainActor.assumeIsolated { drive.quit() }
    }
    loop.wakeUp()
  }
  drive.run()
  performer.join()
}

/// A host that never sleeps serves them, too.
@MainActor func foundationUnderPollingHost() {
  GRunLoop.serveFoundation()
  let log = Log(of: String.self)
  _ = Timer.scheduledTimer(withTimeInterval: 0.005, repeats: false) { _ in log.append("timer") }
  RunLoop.main.perform { log.append("perform") }
  while log.count < 2 { g_main_context_iteration(nil, 0) }
  // A host that handles all that is pending comes to an end with it.
  RunLoop.main.perform { log.append("perform") }
  while log.count < 3 { while g_main_context_pending(nil) != 0 { g_main_context_iteration(nil, 0) } }
}

/// Foundation's queue of notifications stands on its loop's observers.
@MainActor func foundationNotifications() {
  GRunLoop.serveFoundation()
  let drive = MainDrive()
  let log = Log(of: String.self)
  for name in ["asap", "idle"] {
    _ = NotificationCenter.default.addObserver(forName: .init(name), object: nil, queue: nil) { _ in
      log.append(name)
      if log.count == 2 { MainActor.assumeIsolated { drive.quit() } }
    }
  }
  GRunLoop.main.perform {
    NotificationQueue.default.enqueue(Notification(name: .init("asap")), postingStyle: .asap)
    NotificationQueue.default.enqueue(Notification(name: .init("idle")), postingStyle: .whenIdle)
  }
  drive.run()
  expectEqual(log.entries.sorted(), ["asap", "idle"], "what was posted")
}
