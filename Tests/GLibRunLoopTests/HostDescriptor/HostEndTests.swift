import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct HostEndTests {
  @Test("R11, L5 the descriptors go with the thread")
  func descriptors() async {
    await #expect(processExitsWith: .success) {
      // The first thread's own loop, and what the test library opens, are there before the count.
      TestThread { _ = try? GRunLoop.current.hostDescriptor() }.join()
      let before = OpenDescriptors.count
      for _ in 0..<50 {
        TestThread {
          let pipe = TestPipe()
          let host = try! PollingHost()
          Foreign.readable(pipe.reader) { true }.attach(to: host.loop.context)
          host.loop.iterate()
          host.settle()
        }.join()
      }
      // The process's own ones, such as Dispatch's, come when they like.
      #expect(OpenDescriptors.count < before + 10)
    }
  }

  @Test("R11, L3 a context whose host's thread has ended can be driven by another one")
  func contextGoesOn() async throws {
    nonisolated(unsafe) let context = g_main_context_new()!
    try await onLoopThread {
      let loop = GRunLoop.loop(for: context)
      _ = try loop.hostDescriptor()
      loop.iterate()
      TestThread { #expect(g_main_context_acquire(context) == 0) }.join()
    }
    try await onLoopThread {
      #expect(g_main_context_acquire(context) != 0)
      g_main_context_release(context)
      let loop = GRunLoop.loop(for: context)
      _ = try loop.hostDescriptor()
      #expect(loop.iterate() || true)
    }
    g_main_context_unref(context)
  }
}
