import GLibRunLoop
import RunLoopPorts

/// A worker thread checks in with the thread that started it, and both talk.
enum CheckIn {
  static let checkedIn: UInt32 = 100
  static let work: UInt32 = 101
  static let result: UInt32 = 102
  static let goodbye: UInt32 = 103

  /// On the thread that has the work: makes its port and schedules it. `finished` is called with the worker's answer.
  static func receiveWorkers(finished: @escaping ([UInt8]) -> Void) -> Port {
    // The worker's own port comes with its first message.
    var worker: Port?
    let port = Port { message in
      switch message.id {
      case checkedIn:
        worker = message.replyPort
        try? worker?.send(PortMessage(id: work, components: [[1, 2, 3]]), before: .now + .seconds(5))
      case result:
        try? worker?.send(PortMessage(id: goodbye), before: .now + .seconds(5))
        finished(message.components[0])
      default: break
      }
    }
    GRunLoop.current.add(port, forMode: .default)
    return port
  }

  /// The worker thread's main: sends its own port to the one it was given, and runs its loop until it is dismissed.
  static func workerMain(mainPort: Port) {
    let loop = GRunLoop.current
    let mine = Port { message in
      switch message.id {
      case work:
        let doubled = message.components[0].map { $0 * 2 }
        try? mainPort.send(PortMessage(id: result, components: [doubled]), before: .now + .seconds(5))
      case goodbye: loop.stop()
      default: break
      }
    }
    loop.add(mine, forMode: .default)
    try? mainPort.send(PortMessage(id: checkedIn, replyPort: mine), before: .now + .seconds(5))
    loop.run()
    mine.invalidate()
  }
}
