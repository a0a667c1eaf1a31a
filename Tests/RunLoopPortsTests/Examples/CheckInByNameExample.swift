import GLibRunLoop
import RunLoopPorts

/// The same by names, so that the worker may as well be another process.
enum CheckInByName {
  static let checkIn: UInt32 = 100
  static let work: UInt32 = 101

  /// On the thread that has the work: takes the name, and gives each worker that checks in something to do.
  static func receiveWorkers(as name: PortName, finished: @escaping ([UInt8]) -> Void) throws -> MessagePort {
    let port = try MessagePort(name: name) { request in
      guard request.message.id == checkIn else { return }
      try? request.reply(PortMessage(id: checkIn))
      // The worker said where it can be asked.
      let workerName = PortName(String(decoding: request.message.components[0], as: UTF8.self), in: name.directory)
      guard let worker = try? RemotePort(workerName, on: .current),
        let result = try? worker.request(
          PortMessage(id: work, components: [[1, 2, 3]]), receiveTimeout: .seconds(5), replyMode: .connectionReply)
      else { return }
      finished(result.components[0])
    }
    GRunLoop.current.add(port, forMode: .default)
    return port
  }

  /// The worker's main: takes a name of its own, tells it to the other side, and runs its loop until it has worked.
  static func workerMain(as name: PortName, mainName: PortName) throws {
    let loop = GRunLoop.current
    let mine = try MessagePort(name: name) { request in
      guard request.message.id == work else { return }
      try? request.reply(PortMessage(id: work, components: [request.message.components[0].map { $0 * 2 }]))
      loop.stop()
    }
    loop.add(mine, forMode: .default)
    let main = try RemotePort(mainName, on: loop)
    let card = PortMessage(id: checkIn, components: [Array(name.rawValue.utf8)])
    _ = try main.request(card, sendTimeout: .seconds(5), receiveTimeout: .seconds(5), replyMode: .connectionReply)
    loop.run()
    mine.invalidate()
  }
}
