import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct PerformAndWaitEndTests {
  @Test("P3 of a loop that has ended it throws, at once and again")
  func ended() async throws {
    let loop = try await onLoopThread { GRunLoop.current }
    for timeout: Duration? in [nil, .seconds(30), .zero] {
      #expect(throws: GRunLoop.Failure.ended) { try loop.performAndWait(timeout: timeout) { Issue.record("it ran") } }
    }
  }

  @Test(
    "P3 when the loop ends while one waits it throws, with or without a limit",
    arguments: [nil, .seconds(60)] as [Duration?])
  func endsMeanwhile(timeout: Duration?) throws {
    let gate = Gate<GRunLoop>()
    let mayEnd = Gate<Void>()
    let thread = TestThread {
      gate.open(GRunLoop.current)
      // It never runs its loop.
      mayEnd.wait()
    }
    let loop = gate.wait()
    let waiters = (0..<4).map { _ in
      TestThread {
        #expect(throws: GRunLoop.Failure.ended) {
          try loop.performAndWait(timeout: timeout) { Issue.record("it ran") }
        }
      }
    }
    mayEnd.open()
    thread.join()
    for waiter in waiters { waiter.join() }
  }

  @Test("P3 when the context of a loop that GLib code owns goes, it throws")
  func contextGoes() throws {
    nonisolated(unsafe) let context = g_main_context_new()!
    let loop = GRunLoop.loop(for: context)
    let waiter = TestThread {
      #expect(throws: GRunLoop.Failure.ended) { try loop.performAndWait { Issue.record("it ran") } }
    }
    let queued = Gate<Void>()
    let watcher = TestThread {
      while !loop.debugDescription.contains("performs queued") { sched_yield() }
      queued.open()
    }
    queued.wait()
    g_main_context_unref(context)
    waiter.join()
    watcher.join()
  }

  @Test("P3 racing the loop's end it runs or throws, and never hangs", arguments: Driver.allCases)
  func race(_ driver: Driver) throws {
    for round in 0..<500 {
      let gate = Gate<GRunLoop>()
      let thread = TestThread {
        let drive = Drive(driver)
        let passes = round % 4
        gate.open(drive.loop)
        if passes > 0 {
          drive.loop.add(
            GRunLoop.Timer(interval: .microseconds(passes * 40)) { _ in drive.quit() }, forMode: .default)
          drive.run()
        }
      }
      let loop = gate.wait()
      let waiters = (0..<2).map { _ in
        TestThread {
          let ran = Log(of: Int.self)
          var returned = 0
          do {
            while true {
              try loop.performAndWait { ran.append(1) }
              returned += 1
            }
          } catch {
            #expect(error as? GRunLoop.Failure == .ended)
          }
          #expect(ran.count == returned)
        }
      }
      thread.join()
      for waiter in waiters { waiter.join() }
    }
  }
}
