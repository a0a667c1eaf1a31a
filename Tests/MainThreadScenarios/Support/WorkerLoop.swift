import GLibRunLoop

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

  func finish() {
    let loop = loop
    loop.perform { loop.stop() }
    thread.join()
  }
}
