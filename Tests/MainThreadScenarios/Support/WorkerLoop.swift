import GLibRunLoop
import Glibc

/// A thread that runs a loop of its own.
final class WorkerLoop: Sendable {
  let loop: GRunLoop
  private let thread: OtherThread

  init() {
    let ready = Gate()
    let made = Log(of: GRunLoop.self)
    thread = OtherThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      made.append(loop)
      ready.open()
      loop.run()
    }
    ready.wait()
    loop = made.entries[0]
  }

  /// Has it run some times around, and sleep. What Swift's runtime makes at the first use it makes under locks of its
  /// own, which a child that is forked just then could never take.
  func settle() {
    for _ in 0..<20 {
      let isAround = Gate()
      loop.perform { isAround.open() }
      isAround.wait()
      while !loop.isWaiting { sched_yield() }
    }
  }

  func finish() {
    let loop = loop
    loop.perform { loop.stop() }
    thread.join()
  }
}
