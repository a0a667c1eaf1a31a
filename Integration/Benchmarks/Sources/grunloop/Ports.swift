import BenchSupport
import CGLib
import GLibRunLoop
import Glibc
import RunLoopPorts

extension Bench {
  /// One thread sends N messages to a port in another's loop.
  func portMessages(_ total: UInt64) -> UInt64 {
    let thread = LoopThread(driver)
    let port = Port(sendableHandler: { [unowned(unsafe) self] _ in countOne() })
    thread.loop.add(port, forMode: .common)
    race(1, each: total) { _ in
      for index in 0..<total { try! port.send(PortMessage(id: UInt32(truncatingIfNeeded: index))) }
    }
    return target
  }

  /// Requests of so many bytes to another process, one after the other; `isOneWay`: the answer is empty.
  func requests(_ total: UInt64, bytes: Int, isOneWay: Bool, spin: Duration) -> UInt64 {
    GRunLoop.current.spinDuration = spin
    let server = PortServer(driver, spin: spin)
    let message = PortMessage(id: isOneWay ? 2 : 1, components: [[UInt8](repeating: 1, count: bytes)])
    func ask() { _ = try! server.port.request(message, replyMode: .connectionReply) }
    for _ in 0..<min(total, 1000) { ask() }
    begin()
    var calls: UInt64 = 0
    while calls < total, !peer_over_budget(clock, calls, isOneWay ? 0 : 63) {
      ask()
      calls += 1
    }
    peer_end(clock)
    return calls
  }
}

/// Another process of this program that answers requests, and the port that leads there.
struct PortServer {
  let port: RemotePort

  init(_ driver: Driver, spin: Duration) {
    let name = "grunloop-bench-\(getpid())"
    let words = ["grunloop", "serve-port", name, "\(Int(spin / .microseconds(1)))", driver.rawValue]
    let arguments = words.map { (word: String) in strdup(word) } + [nil]
    var process = pid_t()
    guard posix_spawn(&process, "/proc/self/exe", nil, nil, arguments, environ) == 0 else { fatalError("no server") }
    while true {
      if let port = try? RemotePort(PortName(name, in: .abstract), on: .current) {
        self.port = port
        return
      }
      usleep(1000)
    }
  }

  /// The other process: it ends with the one that started it.
  static func serve(_ name: String, _ driver: Driver, spin: Duration) throws {
    peer_die_with_parent()
    let port = try MessagePort(
      name: PortName(name, in: .abstract),
      sendableHandler: { request in
        try! request.reply(request.message.id == 1 ? request.message : PortMessage(id: 2))
      })
    let loop = GRunLoop.current
    loop.spinDuration = spin
    loop.add(port, forMode: .common)
    switch driver {
    case .swift: loop.run()
    case .glib: g_main_loop_run(g_main_loop_new(loop.context, 0))
    }
  }
}
