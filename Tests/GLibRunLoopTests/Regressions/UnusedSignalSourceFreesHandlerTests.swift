import GLibRunLoop
import Glibc
import Testing

@Suite struct UnusedSignalSourceFreesHandlerTests {
  private final class Captured: Sendable {}

  @Test("S8, T11 a signal or child source that was in no loop frees its handler when it is invalidated")
  func freed() {
    weak var captured: Captured?
    let sources: [GRunLoop.Item] = {
      let object = Captured()
      captured = object
      return [
        GRunLoop.SignalSource(signal: SIGUSR2, sendableHandler: { _ in withExtendedLifetime(object) {} }),
        GRunLoop.ChildSource(pid: getpid(), sendableHandler: { _, _ in withExtendedLifetime(object) {} }),
      ]
    }()
    #expect(captured != nil)
    for source in sources { source.invalidate() }
    #expect(captured == nil)
    withExtendedLifetime(sources) {}
  }
}
