import CGLib
import GLibRunLoop

@MainActor func mainLoopLivesInDefaultContext() {
  let loop = GRunLoop.current
  expect(loop === GRunLoop.main, "the first thread's loop is not the main one")
  expect(loop === GRunLoop.current && loop === GRunLoop.main, "asking again gives another loop")
  expectEqual(loop.context, g_main_context_default(), "the main loop's context")
  expect(loop === GRunLoop.loop(for: g_main_context_default()), "asking by context gives another loop")
  expect(loop === GRunLoop.loop(for: nil), "asking by no context gives another loop")
  expect(loop.isCurrent, "the first thread is not the main loop's")
  expectEqual(g_main_context_get_thread_default(), nil, "the first thread's thread-default context")
}
