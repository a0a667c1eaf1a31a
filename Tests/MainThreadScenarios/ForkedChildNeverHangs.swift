import GLibRunLoop
import Glibc

/// A fork copies locks that other threads hold at that moment, and nobody in the child will ever open them.
@MainActor func forkedChildNeverHangs() {
  let loop = GRunLoop.main
  let source = GRunLoop.Source(sendableHandler: { _ in })
  let timer = GRunLoop.Timer(fireDate: .distantFuture, sendableHandler: { _ in })
  loop.add(source, forMode: .default)
  loop.add(timer, forMode: .default)
  // Swift's own locks are copied, too: what it does once must be done before.
  Warnings.capture()
  for number in 0..<100 { Warnings.log.append("warning \(number)") }
  _ = try? loop.performAndWait { 1 }
  loop.perform(after: .seconds(1000)) {}.cancel()
  let done = Log(of: Bool.self)
  let hammering = Gate()
  let hammers = (0..<2).map { _ in
    OtherThread {
      var rounds = 0
      while !done.entries.contains(true) {
        loop.perform(inModes: ["never"]) {}.cancel()
        _ = loop.isWaiting
        rounds += 1
        if rounds == 10_000 { hammering.open() }
      }
    }
  }
  for _ in hammers { hammering.wait() }
  for _ in 0..<100 where Failures.exitCode == 0 {
    expectChild {
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
