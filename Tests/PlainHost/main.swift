import CGLib
import Dispatch
import Glibc

// A GLib program that knows nothing of run loops: `PlainHost WAY [PATIENCE]`. Tests run it with and without the
// library that serves the main queue. Exits with 0 if the main queue was served, with 3 if not.

alarm(120)
_ = firstThread
let way = CommandLine.arguments.dropFirst().first ?? ""
let patience = CommandLine.arguments.dropFirst(2).first.flatMap { UInt32($0) } ?? 60_000

switch way {
case "main loop": exit(runMainLoop())
case "no loop":
  DispatchQueue.main.async { exit(1) }
  exit(5)
case "dispatch main":
  DispatchQueue.global().async { DispatchQueue.main.async { Task { @MainActor in exit(6) } } }
  dispatchMain()
case "other thread": exit(runOnOtherThread())
case "idle": exit(idle())
default: exit(2)
}

/// Queues work of each kind, runs the default context, and expects it all on the first thread.
func runMainLoop() -> CInt {
  let loop = g_main_loop_new(nil, 0)
  let work = Work(loop)
  DispatchQueue.main.async { work.done("block") }
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) { work.done("later block") }
  Task { @MainActor in
    work.done("task")
    try await Task.sleep(for: .milliseconds(5))
    work.done("sleep")
  }
  DispatchQueue.global().async { DispatchQueue.main.async { work.done("block from elsewhere") } }
  g_timeout_add(
    patience,
    { loop in
      g_main_loop_quit(OpaquePointer(loop))
      return 0
    }, UnsafeMutableRawPointer(loop))
  g_main_loop_run(loop)
  return work.isDone ? 0 : 3
}

final class Work: @unchecked Sendable {
  // Used on the first thread only, as `done` checks.
  private let loop: OpaquePointer?
  private var missing: Set = ["block", "later block", "task", "sleep", "block from elsewhere"]

  init(_ loop: OpaquePointer?) { self.loop = loop }

  func done(_ name: String) {
    if !isFirstThread { _exit(4) }
    missing.remove(name)
    if isDone { g_main_loop_quit(loop) }
  }

  var isDone: Bool { missing.isEmpty }
}

/// The default context is another thread's: that one must not run what belongs to the first.
func runOnOtherThread() -> CInt {
  DispatchQueue.main.async { _exit(4) }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { _ in
      let loop = g_main_loop_new(nil, 0)
      g_timeout_add(
        patience,
        { loop in
          g_main_loop_quit(OpaquePointer(loop))
          return 0
        }, UnsafeMutableRawPointer(loop))
      g_main_loop_run(loop)
      return nil
    }, nil)
  pthread_join(thread, nil)
  return 3
}

/// Nothing is queued: how often does the first thread wake up in a while?
func idle() -> CInt {
  let loop = g_main_loop_new(nil, 0)
  g_timeout_add(
    500,
    { loop in
      g_main_loop_quit(OpaquePointer(loop))
      return 0
    }, UnsafeMutableRawPointer(loop))
  let before = sleeps
  g_main_loop_run(loop)
  print(sleeps - before)
  return 0
}
