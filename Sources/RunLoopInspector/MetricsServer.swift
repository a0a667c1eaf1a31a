import Foundation
import GLibRunLoop
import RunLoopInstruments
import RunLoopPorts

/// Tells other processes of this user what loops of this one do; the program LoopTop shows it.
///
/// ```swift
/// let server = try MetricsServer(publishing: ["main": .main])
/// ```
///
/// It answers on a thread of its own, so that a loop that hangs is seen to. The loops count what they do
/// (``/RunLoopInstruments/GLibRunLoop/GRunLoop/collectsMetrics``) from the first question on, until nobody has asked
/// for ten seconds; before, it costs nothing but that thread, which sleeps. It ends with its last reference: its name
/// is free then, and the loops count no more, unless the program itself has them count.
///
/// The port's name is `runloop-metrics.` and the process's number. A request of id 1 is answered by one component, a
/// ``MetricsReport`` in JSON.
public final class MetricsServer: Sendable {
  private let desk: Desk
  private let loop: GRunLoop
  private let port: MessagePort

  /// Where a process is asked.
  public static func name(ofProcess process: Int, in directory: PortDirectory = .user) -> PortName {
    PortName("\(prefix)\(process)", in: directory)
  }

  static let prefix = "runloop-metrics."
  static let question: UInt32 = 1

  /// A server for some loops; more can be added.
  ///
  /// - Parameters:
  ///   - loops: The loops, by the names to show.
  ///   - directory: Where to be found.
  /// - Throws: ``/RunLoopPorts/PortFailure``, if the port cannot be made: a process has one server in a directory.
  public init(publishing loops: KeyValuePairs<String, GRunLoop>, in directory: PortDirectory = .user) throws {
    let desk = Desk(loops.map { ($0.key, $0.value) })
    let port = try MessagePort(
      name: Self.name(ofProcess: Int(getpid()), in: directory), sendableHandler: { desk.answer($0) })
    self.desk = desk
    self.port = port
    loop = Self.startThread(with: port)
    desk.loop = loop
  }

  deinit {
    // In a forked child the thread is not there, and the port is the parent's.
    if loop.isForked { return }
    port.invalidate()
    desk.close()
    loop.perform { [loop] in loop.stop() }
  }

  /// Publishes one loop more. It is left out once it has ended. Two may have one name.
  public func add(_ loop: GRunLoop, name: String) {
    if !self.loop.refuseForked("add(_:name:) of a metrics server") { desk.add(loop, name) }
  }

  private static func startThread(with port: MessagePort) -> GRunLoop {
    final class Start: @unchecked Sendable {
      // Set before the semaphore is raised, read after.
      var loop: GRunLoop!
      let isReady = DispatchSemaphore(value: 0)
    }
    let start = Start()
    let thread = Thread {
      let loop = GRunLoop.current
      loop.add(port, forMode: .default)
      start.loop = loop
      start.isReady.signal()
      loop.run()
      port.invalidate()
    }
    thread.name = "runloop-metrics"
    thread.start()
    start.isReady.wait()
    return start.loop
  }
}

/// What the server's thread works at.
private final class Desk: @unchecked Sendable {
  // Invariant for @unchecked: guarded by the lock, but for `loop`, which is set before anybody can ask.
  private static let patience = Duration.seconds(10)

  private let lock = NSLock()
  private var loops: [(name: String, number: Int, loop: GRunLoop)] = []
  private var numbers = 0
  /// Those that count because somebody asked.
  private var watched: [GRunLoop] = []
  private var isClosed = false
  private var end: GRunLoop.Timer?
  weak var loop: GRunLoop?

  init(_ loops: [(String, GRunLoop)]) { for (name, loop) in loops { add(loop, name) } }

  func add(_ loop: GRunLoop, _ name: String) {
    lock.withLock {
      numbers += 1
      loops.append((name, numbers, loop))
    }
  }

  func close() {
    lock.withLock { isClosed = true }
    switchOff()
  }

  func answer(_ request: PortRequest) {
    guard request.message.id == MetricsServer.question else { return }
    let published = lock.withLock { loops }
    switchOn(published.map(\.loop))
    let now = GRunLoop.Instant.now
    var parts: [MetricsReport.Loop] = []
    for (name, number, loop) in published {
      let metrics = loop.metrics
      if metrics.hasEnded { continue }
      parts.append(
        MetricsReport.Loop(
          name: name, number: number, nextTimerNanoseconds: Self.untilTimer(of: loop, metrics.mode), metrics: metrics))
    }
    lock.withLock { loops.removeAll { $0.loop.metrics.hasEnded } }
    let report = MetricsReport(
      process: Int(getpid()), program: ProcessInfo.processInfo.processName, momentNanoseconds: now.nanoseconds,
      loops: parts)
    // Numbers and texts: it cannot fail.
    let json = try! JSONEncoder().encode(report)
    try? request.reply(PortMessage(id: request.message.id, components: [Array(json)]))
  }

  private static func untilTimer(of loop: GRunLoop, _ mode: String) -> Int64? {
    // Metrics have a mode's short name.
    let named: [GRunLoop.Mode] = [.default, .modalPanel, .eventTracking, .connectionReply]
    let mode = named.first { $0.description == mode } ?? GRunLoop.Mode(mode)
    guard let date = loop.nextFireDate(in: mode) else { return nil }
    return date.nanoseconds.subtractingSaturated(GRunLoop.Instant.now(on: date.timebase).nanoseconds)
  }

  private func switchOn(_ loops: [GRunLoop]) {
    // No code of the program's runs meanwhile.
    lock.withLock {
      for loop in loops where !isClosed && !watched.contains(where: { $0 === loop }) {
        watched.append(loop)
        loop.beginLook()
      }
    }
    let timer = GRunLoop.Timer(
      interval: Self.patience, tolerance: .seconds(1),
      sendableHandler: { [weak self] _ in
        self?.switchOff()
      })
    let old = lock.withLock {
      defer { end = timer }
      return end
    }
    old?.invalidate()
    GRunLoop.current.add(timer, forMode: .default)
  }

  private func switchOff() {
    lock.withLock {
      for loop in watched { loop.endLook() }
      watched = []
    }
  }
}
