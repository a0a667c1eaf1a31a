import CGLib
import GLibRunLoop
import Glibc

/// What another thread does with the default context for a moment leaves no trace.
@MainActor func momentElsewhere() {
  let loop = GRunLoop.main
  let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { (_: GRunLoop.Timer) in }
  loop.add(timer, forMode: .default)
  for moment in ["pending", "iteration", "invoke"] {
    let thread = TestThread {
      switch moment {
      case "pending": g_main_context_pending(nil)
      case "iteration": g_main_context_iteration(nil, 0)
      default: g_main_context_invoke(nil, { _ in 0 }, nil)
      }
    }
    thread.join()
    // On the loop's own thread it runs at once.
    let value = try? loop.performAndWait(timeout: .seconds(10)) { 1 }
    expectEqual(value, 1, "a perform-and-wait after \(moment)")
    expectEqual(loop.run(mode: .default, for: .milliseconds(5)), .timedOut, "a run after \(moment)")
    expect(loop.isCurrent, "the loop is not the first thread's after \(moment)")
  }
}

/// A run waits for a thread that owns the context for a moment, and owns it then itself: another thread's source wakes it.
@MainActor func runWaitsForOwner() {
  let loop = GRunLoop.main
  let acquired = Gate()
  let thread = TestThread {
    g_main_context_acquire(nil)
    acquired.open()
    usleep(50_000)
    g_main_context_release(nil)
  }
  acquired.wait()
  let attaching = TestThread {
    usleep(100_000)
    g_idle_add(
      { _ in
        GRunLoop.main.stop()
        return 0
      }, nil)
  }
  expectEqual(
    loop.run(mode: .default, for: .seconds(60)), .stopped, "a run that begins while another thread owns the context")
  thread.join()
  attaching.join()
}

/// If the other thread keeps the context, a run is refused with a line, and does not drive what is not its thread's.
@MainActor func runIsRefusedWithoutContext() {
  let loop = GRunLoop.main
  let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { (_: GRunLoop.Timer) in fail("it fired") }
  loop.add(timer, forMode: .default)
  let (acquired, done) = (Gate(), Gate())
  let thread = TestThread {
    g_main_context_acquire(nil)
    acquired.open()
    done.wait()
    g_main_context_release(nil)
  }
  acquired.wait()
  Warnings.capture()
  expectEqual(loop.run(mode: .default, for: .milliseconds(5)), .finished, "a run while another thread has the context")
  expect(Warnings.log.count == 1 && Warnings.contain("refused"), "\(Warnings.log.entries)")
  done.open()
  thread.join()
}
