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
/// (``/RunLoopInstruments/GLibRunLoop/GRunLoop/collectsMetrics``) from the first question on, until nobody has asked for
/// ten seconds; before, it costs nothing but that thread, which sleeps. It ends with its last reference.
///
/// The port's name is `runloop-metrics.` and the process's number. A request of id 1 is answered by one component, a
/// ``MetricsReport`` in JSON.
public final class MetricsServer: Sendable {
  private let desk: Desk
  private let loop: GRunLoop

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
    loop = Self.startThread(with: port)
    desk.loop = loop
  }

  deinit { loop.perform { [loop] in loop.stop() } }

  /// Publishes one loop more. It is left out once it has ended.
  public func add(_ loop: GRunLoop, name: String) { desk.add(loop, name) }

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
  private var loops: [(name: String, loop: GRunLoop)]
  /// Those that did not count before.
  private var switchedOn: [GRunLoop] = []
  private var end: GRunLoop.Timer?
  weak var loop: GRunLoop?

  init(_ loops: [(String, GRunLoop)]) { self.loops = loops }

  func add(_ loop: GRunLoop, _ name: String) { lock.withLock { loops.append((name, loop)) } }

  func answer(_ request: PortRequest) {
    guard request.message.id == MetricsServer.question else { return }
    let published = lock.withLock { loops }
    switchOn(published.map(\.loop))
    let now = GRunLoop.Instant.now
    var parts: [MetricsReport.Loop] = []
    for (name, loop) in published {
      let metrics = loop.metrics
      if metrics.hasEnded { continue }
      parts.append(
        MetricsReport.Loop(name: name, nextTimerNanoseconds: Self.untilTimer(of: loop, metrics.mode), metrics: metrics))
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
    return date.nanoseconds - GRunLoop.Instant.now(on: date.timebase).nanoseconds
  }

  private func switchOn(_ loops: [GRunLoop]) {
    let new = lock.withLock {
      let new = loops.filter { !$0.collectsMetrics }
      switchedOn += new
      return new
    }
    for loop in new { loop.collectsMetrics = true }
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
    let loops = lock.withLock {
      defer { switchedOn = [] }
      return switchedOn
    }
    for loop in loops { loop.collectsMetrics = false }
  }
}
