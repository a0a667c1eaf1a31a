import CGLib
@preconcurrency import CRunLoopShims
import Dispatch
import Foundation
import GLibRunLoop
import Glibc
import Synchronization

/// An `async main` in each of the ways that tests want it: `AsyncMainProgram WAY`.
@main struct AsyncMainProgram {
  static func main() async throws {
    alarm(120)
    _ = firstThread
    let way = CommandLine.arguments.dropFirst().first ?? ""
    if way == "late" { await Other.shared.hop() }
    if way == "elsewhere without Dispatch's descriptor" { delayUntilDispatchHasClosed() }
    if !way.hasPrefix("unhosted") { GRunLoop.hostAsyncMain() }
    switch way {
    case "without await": return
    case "plain":
      await Other.shared.hop()
      expectFirstThread("an await in main itself")
    case "hops": try await hop()
    case "sources": await waitForSources()
    case "stop": await stopAndGoOn()
    case "throws":
      await Other.shared.hop()
      throw Refusal()
    case "exits":
      await Other.shared.hop()
      exit(7)
    case "elsewhere": await runContextElsewhere(whenDelayed: false)
    case "elsewhere without Dispatch's descriptor": await runContextElsewhere(whenDelayed: true)
    case "unhosted with work":
      exitWhenToldWhatToCall()
      await Other.shared.hop()
      GRunLoop.main.perform {}
      // The alarm ends it, if nothing is said.
      while true { try await Task.sleep(for: .seconds(60)) }
    case "unhosted":
      // The control: without the call Swift lets go of the first thread.
      await Other.shared.hop()
      exit(isFirstThread ? 0 : 9)
    default: fail("no such way: \(way)")
    }
    print("main returns")
  }

  /// The line comes on a thread of Dispatch's.
  private nonisolated static func exitWhenToldWhatToCall() {
    g_log_set_handler(
      "GLibRunLoop", G_LOG_LEVEL_WARNING,
      { _, _, message, _ in exit(String(cString: message!).contains("hostAsyncMain()") ? 0 : 8) }, nil)
  }

  /// After each kind of await, the rest is on the first thread.
  @MainActor private static func hop() async throws {
    for _ in 0..<100 {
      await Other.shared.hop()
      expectFirstThread("a hop to an actor and back")
    }
    try await Task.sleep(for: .milliseconds(5))
    expectFirstThread("a sleep")
    await withCheckedContinuation { continuation in DispatchQueue.global().async { continuation.resume() } }
    expectFirstThread("a continuation resumed elsewhere")
    await Task { @MainActor in expectFirstThread("a task of the main actor's") }.value
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        expectFirstThread("a block of the main queue")
        continuation.resume()
      }
    }
    expectFirstThread("a block of the main queue awaited")
    await withTaskGroup(of: Void.self) { group in for _ in 0..<4 { group.addTask { await Other.shared.hop() } } }
    expectFirstThread("a task group")
  }

  /// What GLib code attached to the default context, and the loop's own items, live while main awaits.
  @MainActor private static func waitForSources() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let source = g_timeout_source_new(1)
      let box = Unmanaged.passRetained(Box(continuation))
      g_source_set_callback(
        source,
        { box in
          expectFirstThread("GLib's source")
          Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().continuation.resume()
          return 0
        }, box.toOpaque(), nil)
      g_source_attach(source, nil)
      g_source_unref(source)
    }
    await withCheckedContinuation { continuation in
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { (_: GRunLoop.Timer) in continuation.resume() }
      GRunLoop.main.add(timer, forMode: .default)
    }
    expectFirstThread("a timer awaited")
  }

  /// A stop that is meant for no run in particular does not end the program.
  @MainActor private static func stopAndGoOn() async {
    for _ in 0..<3 {
      GRunLoop.main.stop()
      await Other.shared.hop()
      expectFirstThread("a stop")
    }
  }

  /// Another thread drives the default context: the call says that it cannot help, and main goes on all the same.
  @MainActor private static func runContextElsewhere(whenDelayed: Bool) async {
    if whenDelayed { DispatchQueue.main.async {} }
    Thread.detachNewThread {
      g_main_context_acquire(nil)
      g_main_loop_run(g_main_loop_new(nil, 0))
    }
    while g_main_context_acquire(nil) != 0 {
      g_main_context_release(nil)
      sched_yield()
    }
    while whenDelayed && !isDelayed.load(ordering: .relaxed) { sched_yield() }
    await Other.shared.hop()
    await withCheckedContinuation { continuation in GRunLoop.main.perform { continuation.resume() } }
  }

  /// In its first turn the loop lets go of the main queue, which it must not serve there. Has that happen just after
  /// the first thread entered `dispatchMain`, and libdispatch closed its descriptor. Before the loop is made.
  private static func delayUntilDispatchHasClosed() {
    // What is opened meanwhile takes one of these numbers, and not that one's.
    let lower = (0..<32).map { _ in dup(0) }
    _ = descriptorOfDispatch
    for descriptor in lower { close(descriptor) }
    grl_system.epoll_ctl = { set, operation, descriptor, event in
      if operation == EPOLL_CTL_MOD {
        isDelayed.store(true, ordering: .relaxed)
        while fcntl(descriptorOfDispatch, F_GETFD) >= 0 { sched_yield() }
      }
      return epoll_ctl(set, operation, descriptor, event)
    }
  }
}

private let descriptorOfDispatch = _dispatch_get_main_queue_handle_4CF()
/// Relaxed: nothing else is read that depends on it.
private let isDelayed = Atomic<Bool>(false)

private final class Box {
  let continuation: CheckedContinuation<Void, Never>

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
}

private actor Other {
  static let shared = Other()

  func hop() { if isFirstThread { fail("another actor was on the first thread") } }
}

private struct Refusal: Error {}

/// The program asks for it first thing.
private let firstThread = pthread_self()

private var isFirstThread: Bool { pthread_equal(pthread_self(), firstThread) != 0 }

private func expectFirstThread(_ event: String) { if !isFirstThread { fail("after \(event): another thread") } }

private func fail(_ message: String) -> Void {
  print(message)
  fflush(nil)
  _exit(1)
}
