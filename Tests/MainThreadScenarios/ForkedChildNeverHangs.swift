import GLibRunLoop
import Glibc

/// A fork copies locks that other threads hold at that moment, and nobody in the child will ever open them.
@MainActor func forkedChildNeverHangs() {
  let loop = GRunLoop.main
  let source = GRunLoop.Source(sendableHandler: { _ in })
  let timer = GRunLoop.Timer(fireDate: .distantFuture, sendableHandler: { _ in })
  loop.add(source, forMode: .default)
  loop.add(timer, forMode: .default)
  let done = Log(of: Bool.self)
  let hammers = (0..<2).map { _ in
    OtherThread {
      while done.count == 0 {
        loop.perform(inModes: ["never"]) {}.cancel()
        _ = loop.isWaiting
      }
    }
  }
  for _ in 0..<100 where Failures.exitCode == 0 {
    expectChild {
      Warnings.capture()
      loop.perform { fail("a perform ran in the child") }
      loop.perform(inModes: [.default]) { fail("a perform ran in the child") }
      loop.perform(after: .zero) { fail("a perform ran in the child") }
      expect((try? loop.performAndWait { 1 }) == nil, "performAndWait returned in the child")
      source.signal()
      loop.wakeUp()
      loop.stop()
      loop.run(mode: .default, for: .zero)
      loop.remove(source, forMode: .default)
      timer.invalidate()
      expect(Warnings.contain("this process was forked"), "nothing was said")
    }
  }
  done.append(true)
  hammers.forEach { $0.join() }
}
