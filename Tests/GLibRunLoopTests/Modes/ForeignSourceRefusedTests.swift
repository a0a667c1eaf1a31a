import CGLib
import GLibRunLoop
import Testing

@Suite struct ForeignSourceRefusedTests {
  private final class Token: Sendable {}

  @Test("M8 a source that cannot be added is left as it was, and that is said")
  func refused() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      weak var captured: Token?
      func make() -> Foreign.Source {
        let token = Token()
        captured = token
        return Foreign.timeout(milliseconds: 0) {
          _ = token
          log.append("fired")
          return true
        }
      }
      let source = make()
      let warnings = CapturedWarnings.during {
        let item = loop.add(source, forMode: "")
        #expect(!loop.contains(item, inMode: ""))
      }
      #expect(warnings.count == 1 && warnings[0].contains("name"))
      // It was not used up by that: its owner attaches it somewhere else.
      #expect(g_source_get_context(source) == nil)
      source.attach(to: loop.context)
      Driver.glib.poll(loop, mode: .default)
      #expect(!log.entries.isEmpty)
      // Nor can the loop take what is another context's already.
      let others = CapturedWarnings.during {
        let item = loop.add(source, forMode: .default)
        #expect(!loop.contains(item, inMode: .default))
      }
      #expect(others.count == 1)
      g_source_destroy(source)
      #expect(captured == nil, "the loop holds what it refused")
    }
  }

  @Test("M8 a source that has ended is refused, and that is said")
  func refusedOnceEnded() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let source = g_timeout_source_new(0)!
      loop.add(source, forMode: .default).invalidate()
      let warnings = CapturedWarnings.during {
        let item = loop.add(source, forMode: .default)
        #expect(!loop.contains(item, inMode: .default))
      }
      #expect(warnings.count == 1)
      g_source_unref(source)
    }
  }
}
