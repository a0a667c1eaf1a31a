import CGLib
import GLibRunLoop
import Testing

@Suite struct LoopContextTests {
  @Test("L2 a thread without a thread-default context gets one of its own")
  func ownContext() async throws {
    let first = Gate<GRunLoop>()
    let leave = Gate<Void>()
    let thread = TestThread {
      first.open(.current)
      leave.wait()
    }
    let other = first.wait()
    try await onLoopThread {
      let loop = GRunLoop.current
      #expect(g_main_context_get_thread_default() == loop.context)
      #expect(loop.context != g_main_context_default())
      #expect(loop.context != other.context)
      // What GIO starts on this thread finishes here, since the loop holds the context.
      #expect(g_main_context_is_owner(loop.context) != 0)
    }
    leave.open()
    thread.join()
  }

  @Test("L2 a thread that has a thread-default context keeps it: the loop moves in", arguments: Driver.allCases)
  func existingContext(_ driver: Driver) async throws {
    try await onLoopThread {
      let context = g_main_context_new()!
      g_main_context_push_thread_default(context)
      #expect(GRunLoop.current.context == context)
      #expect(g_main_context_get_thread_default() == context)
      let drive = Drive(driver)
      let log = Log(of: String.self)
      GRunLoop.current.perform { log.append("perform") }
      Foreign.timeout(milliseconds: 5) {
        log.append("foreign")
        drive.quit()
        return false
      }.attach(to: context)
      drive.run()
      #expect(log.entries == ["perform", "foreign"])
      g_main_context_unref(context)
    }
  }

  @Test("L2 a context that is pushed later does not move the loop")
  func laterContext() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let home = loop.context
      let other = g_main_context_new()!
      g_main_context_push_thread_default(other)
      #expect(GRunLoop.current === loop)
      #expect(loop.context == home)
      g_main_context_pop_thread_default(other)
      g_main_context_unref(other)
    }
  }
}
