import CGLib
import GLibRunLoop
import Glibc
import RunLoopInstruments
import Testing

/// The stack of a thread is taken wherever that stands: what takes it must not want what the thread holds.
@Suite struct StallAnywhereTests {
  enum Work: CaseIterable {
    case malloc, loader, context, quarks

    func doIt(_ number: Int) {
      switch self {
      case .malloc:
        let blocks = (0..<200).map { Glibc.malloc(2000 + $0 * 37)! }
        for block in blocks { free(block) }
      case .loader:
        // Not loaded otherwise: it is mapped, bound, and let go of.
        if let library = dlopen("libresolv.so.2", RTLD_NOW) { dlclose(library) }
        _ = dlsym(nil, "no_such_function")
      case .context:
        let context = g_main_context_new()!
        for _ in 0..<20 {
          let source = g_idle_source_new()!
          g_source_set_name(source, "number \(number)")
          g_source_attach(source, context)
          g_source_destroy(source)
          g_source_unref(source)
        }
        g_main_context_unref(context)
      case .quarks: g_quark_from_string("GRunLoop test \(number % 1000)")
      }
    }
  }

  @Test(
    "H4 a stall detector stops no thread: not in malloc, in the loader, in GLib, and where GLib has dispatched nothing",
    arguments: Work.allCases, [false, true])
  func goesOn(_ work: Work, _ hasDispatched: Bool) async throws {
    try await onLoopThread {
      let stacks = Locked(0)
      var rounds = 0
      // A machine under load may not come to some.
      while stacks.withLock({ $0 }) < 12 && rounds < 400 {
        rounds += 1
        let worker = LoopWorker { _ in if hasDispatched { _ = g_main_depth() } }
        let detector = try GRunLoop.StallDetector.start(
          on: worker.loop, limit: .milliseconds(2), takesStacks: true,
          report: .call { stall in if !stall.isOver && !stall.stack.isEmpty { stacks.withLock { $0 += 1 } } })
        defer { detector.stop() }
        let isDone = Locked(false)
        worker.loop.perform {
          let end = GRunLoop.Instant.now + .milliseconds(20)
          var number = 0
          while GRunLoop.Instant.now < end {
            work.doIt(number)
            number += 1
          }
          isDone.withLock { $0 = true }
        }
        guard eventually({ isDone.withLock { $0 } }) else {
          Issue.record("the call-back never returned, in round \(rounds)")
          return
        }
        worker.finish()
      }
      #expect(stacks.withLock { $0 } >= 12)
    }
  }

  @Test("H4 a thread that is kept inside the loader is told of while it is there")
  func insideLoader() async throws {
    try await onLoopThread {
      let stacks = Locked<[String]>([])
      let isHeld = Locked(true)
      let worker = LoopWorker()
      let detector = try GRunLoop.StallDetector.start(
        on: worker.loop, limit: .milliseconds(20), takesStacks: true,
        report: .call { stall in if !stall.isOver && !stall.stack.isEmpty { stacks.withLock { $0 = stall.stack } } })
      defer { detector.stop() }
      worker.loop.perform {
        // The loader holds its lock while it goes round.
        withUnsafePointer(to: isHeld) { pointer in
          _ = dl_iterate_phdr(
            { _, _, held in
              let held = held!.assumingMemoryBound(to: Locked<Bool>.self).pointee
              while held.withLock({ $0 }) { usleep(1000) }
              return 1
            }, UnsafeMutableRawPointer(mutating: pointer))
        }
      }
      #expect(eventually { !stacks.withLock { $0 }.isEmpty })
      isHeld.withLock { $0 = false }
      worker.finish()
      #expect(stacks.withLock { $0 }.contains { $0.contains("dl_iterate_phdr") })
    }
  }
}

/// Swift's Glibc module lacks it.
private let dl_iterate_phdr = unsafeBitCast(
  dlsym(nil, "dl_iterate_phdr")!,
  to: (@convention(c) (
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> CInt, UnsafeMutableRawPointer?
  ) -> CInt).self)
