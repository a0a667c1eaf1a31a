import CGLib
import GLibRunLoop
import Testing

@Suite struct ForeignContextLifeTests {
  private final class Token: Sendable {
    let freed: Log<String>

    init(_ freed: Log<String>) { self.freed = freed }

    deinit { freed.append("freed") }
  }

  @Test("M8, M2 out of all modes its sources are held; added again they fire", arguments: Driver.allCases)
  func addedAgain(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forModes: ["a", .default])
      let context = GRunLoop.ForeignContext()
      let seen = Log(of: GRunLoop.Mode?.self)
      Foreign.timeout(milliseconds: 0) {
        seen.append(loop.currentMode)
        return true
      }.attach(to: context.context)
      loop.add(context, forMode: "a")
      loop.remove(context, forMode: "a")
      driver.poll(loop, mode: "a")
      #expect(seen.entries.isEmpty && context.isValid)
      loop.add(context, forMode: .default)
      driver.poll(loop, mode: "a")
      #expect(seen.entries.isEmpty)
      driver.poll(loop, mode: .default)
      #expect(Set(seen.entries) == [.default])
      let count = seen.count
      context.invalidate()
      driver.poll(loop, mode: .default)
      #expect(seen.count == count)
    }
  }

  @Test("M8, L5 its sources go with it: once invalid and forgotten, and when its loop ends", arguments: [true, false])
  func freed(_ isInvalidated: Bool) async throws {
    let freed = Log(of: String.self)
    try await onLoopThread {
      let loop = GRunLoop.current
      func make() -> GRunLoop.ForeignContext {
        let token = Token(freed)
        let context = GRunLoop.ForeignContext()
        Foreign.timeout(milliseconds: 3_600_000) {
          _ = token
          return true
        }.attach(to: context.context)
        loop.add(context, forModes: ["a", .common])
        return context
      }
      var context: GRunLoop.ForeignContext? = make()
      loop.run(mode: "a", for: .zero)
      if isInvalidated { context?.invalidate() }
      context = nil
      #expect((freed.count == 1) == isInvalidated)
    }
    #expect(freed.count == 1)
  }

  @Test(
    "M8, R7, L4 what another thread attaches while the loop sleeps wakes it",
    arguments: Driver.allCases, [.default, .common] as [GRunLoop.Mode])
  func attachedFromAnotherThread(_ driver: Driver, _ mode: GRunLoop.Mode) {
    let worker = DrivenWorker(driver)
    let context = GRunLoop.ForeignContext()
    worker.loop.add(context, forMode: mode)
    for _ in 0..<100 {
      let called = Gate<Bool>()
      Foreign.idle { [loop = worker.loop] in
        called.open(loop.isCurrent)
        return false
      }.attach(to: context.context)
      #expect(called.wait())
    }
    context.invalidate()
    worker.finish()
  }

  @Test(
    "C7, M8 what a foreign source's call-back starts is heard, whoever completes it, and when",
    arguments: Driver.allCases)
  func completedFromAnotherThread(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      var completer: TestThread?
      let pipe = BytePipe()
      pipe.put()
      let source = Foreign.readable(pipe.readEnd) {
        pipe.take()
        log.append("started")
        // As a GTask does, whose thread is done once the loop sleeps.
        nonisolated(unsafe) let own = g_main_context_get_thread_default()!
        completer = TestThread {
          eventually { drive.loop.isWaiting }
          Foreign.idle {
            log.append("completed")
            drive.quit()
            return false
          }.attach(to: own)
        }
        return true
      }
      drive.loop.add(source, forMode: .default)
      g_source_unref(source)
      drive.run()
      completer?.join()
      #expect(log.entries == ["started", "completed"])
    }
  }
}
