import GLibRunLoop
import Testing

/// A loop that is to end when nothing is left to wait for slept on when another thread took the last thing away.
/// https://github.com/libevent/libevent/issues/623
/// https://github.com/libevent/libevent/issues/1727
@Suite struct LastItemRemovedUnnoticedRegression {
  enum Form: CaseIterable, Sendable { case source, timer, descriptor, foreign, removedOnly }

  @Test("M5, R4, L4 taking the last item away ends the run (libevent)", arguments: Form.allCases)
  func ends(_ form: Form) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let pipe = BytePipe()
      let item: GRunLoop.Item =
        switch form {
        case .source, .removedOnly: GRunLoop.Source(sendableHandler: { _ in })
        case .timer: GRunLoop.Timer(interval: .seconds(60), sendableHandler: { _ in })
        case .descriptor:
          GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable, sendableHandler: { _, _ in })
        case .foreign: GRunLoop.ForeignSource(Foreign.timeout(milliseconds: 60_000) { false })
        }
      loop.add(item, forMode: .default)
      let remover = TestThread {
        eventually { loop.isWaiting }
        if form == .removedOnly { loop.remove(item, forMode: .default) } else { item.invalidate() }
      }
      #expect(loop.run(mode: .default, for: .seconds(50)) == .finished)
      remover.join()
    }
  }
}
