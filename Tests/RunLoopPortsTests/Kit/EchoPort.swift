import GLibRunLoop
import RunLoopPorts

/// A thread with a port that answers each request with the request.
final class EchoPort: Sendable {
  let name: PortName
  let worker: LoopWorker
  let port: MessagePort

  init(_ name: PortName = NamePlace.abstract.name, limits: PortLimits = PortLimits()) throws {
    self.name = name
    port = try MessagePort(name: name, limits: limits, sendableHandler: { try? $0.reply($0.message) })
    worker = LoopWorker()
    worker.loop.add(port, forMode: .common)
  }

  func finish() {
    port.invalidate()
    worker.finish()
  }
}
