import CPortShims
import GLibRunLoop
import Glibc

/// A port with a name, which other processes of the same user send messages and requests to.
///
/// ```swift
/// let port = try MessagePort(name: "com.example.spell") { request in
///   try? request.reply(PortMessage(id: request.message.id, components: [check(request.message.components[0])]))
/// }
/// GRunLoop.main.add(port, forMode: .common)
/// ```
///
/// A peer is a ``RemotePort``. The messages of one peer arrive in the order sent. Bytes that no such peer sends close the
/// connection that they came by, with one line that says why; the port and its other peers go on. The name ends with the
/// port, and with its process, however that ends.
///
/// The counterpart is a local `CFMessagePort`.
public final class MessagePort: ScheduledPort, @unchecked Sendable {
  // Invariant for @unchecked: see ScheduledPort. The handler is called, and weakly held, on the loop's thread.

  /// The name that peers look up.
  public let name: PortName
  /// What it takes and holds.
  public let limits: PortLimits

  private let order: Int
  private let priority: GRunLoop.Priority
  private let registration: Registration
  private var listener: GRunLoop.DescriptorSource! = nil
  private var modes: Set<GRunLoop.Mode> = []
  private var connections: [ObjectIdentifier: Connection] = [:]
  private var isClosed = false
  /// It was said that peers are turned away; said again after there was room.
  private var isTurningAway = false
  /// It was said that no peer can be let in; said again after one was.
  private var isPaused = false
  /// When to try again.
  private var retry: GRunLoop.Timer?
  private weak var handler: Handler<PortRequest>?

  /// A port that is added on this thread, to this thread's loop.
  ///
  /// - Parameters:
  ///   - name: The name; taken from now on, though nothing is answered until the port is in a mode of a loop that runs.
  ///   - limits: What it takes from peers, and holds for them.
  ///   - order: Of the descriptors that are ready in a pass, the lower order fires first.
  ///   - priority: When GLib lets it have its turn.
  ///   - handler: Called on the loop's thread with each request, and each message that wants no answer.
  /// - Throws: ``PortFailure/nameTaken(_:)``, ``PortFailure/badName(_:)``, or a system call's failure.
  public convenience init(
    name: PortName, limits: PortLimits = PortLimits(), order: Int = 0, priority: GRunLoop.Priority = .default,
    handler: @escaping (PortRequest) -> Void
  ) throws(PortFailure) {
    try self.init(name, limits, order, priority, .thisThread(handler))
  }

  /// A port whose handler is the main actor's: for ``/GLibRunLoop/GRunLoop/main`` only.
  public convenience init(
    name: PortName, limits: PortLimits = PortLimits(), order: Int = 0, priority: GRunLoop.Priority = .default,
    handler: @escaping @MainActor (PortRequest) -> Void
  ) throws(PortFailure) {
    try self.init(name, limits, order, priority, .mainActor(handler))
  }

  /// A port that can be added to any loop, from any thread.
  @_disfavoredOverload
  public convenience init(
    name: PortName, limits: PortLimits = PortLimits(), order: Int = 0, priority: GRunLoop.Priority = .default,
    sendableHandler: @escaping @Sendable (PortRequest) -> Void
  ) throws(PortFailure) {
    try self.init(name, limits, order, priority, .anyThread(sendableHandler))
  }

  private init(
    _ name: PortName, _ limits: PortLimits, _ order: Int, _ priority: GRunLoop.Priority,
    _ receiver: Receiver<PortRequest>
  ) throws(PortFailure) {
    self.name = name
    self.limits = limits
    self.order = order
    self.priority = priority
    registration = try Registration(name)
    super.init()
    listener = GRunLoop.DescriptorSource(
      fileDescriptor: registration.listener, events: .readable, order: order, priority: priority,
      sendableHandler: { [weak self] _, _ in self?.acceptPeers() })
    makeSource(order, priority, receiver) { _ in }
  }

  deinit {
    close()
  }

  override func handlerWasMade(_ handler: AnyObject) { self.handler = handler as? Handler<PortRequest> }

  /// How many peers are connected.
  public var connectionCount: Int { monitor.withLock { connections.count } }

  // MARK: Modes

  override func joined(_ loop: GRunLoop, _ mode: GRunLoop.Mode) {
    super.joined(loop, mode)
    let items = monitor.withLock {
      modes.insert(mode)
      return allItems
    }
    for item in items where item.isValid { loop.add(item, forMode: mode) }
  }

  override func left(_ loop: GRunLoop, _ mode: GRunLoop.Mode) {
    let items = monitor.withLock {
      modes.remove(mode)
      return allItems
    }
    for item in items { loop.remove(item, forMode: mode) }
    super.left(loop, mode)
  }

  private var allItems: [GRunLoop.Item] { [listener, retry].compactMap(\.self) + connections.values.map { $0.source } }

  // MARK: On the loop's thread

  func deliver(_ request: PortRequest) { handler?.call(request) }

  private func acceptPeers() {
    for _ in 0..<16 {
      let (descriptor, code) = monitor.withLock { isClosed ? (-1, EAGAIN) : (gps_accept(registration.listener), errno) }
      if descriptor >= 0 {
        admit(descriptor)
      } else if code == EAGAIN {
        return
      } else if code != ECONNABORTED, code != EINTR {
        return pause(code)
      }
    }
  }

  private func admit(_ descriptor: CInt) {
    var user: UInt32 = 0
    if gps_peer_user(descriptor, &user) != 0 || user != geteuid() {
      Glibc.close(descriptor)
      return diagnose("port \"\(name)\": user \(user) tried to connect, which only user \(geteuid()) may; turned away")
    }
    let connection = Connection(descriptor, of: self, order: order, priority: priority)
    let (isAdmitted, isNews) = monitor.withLock {
      isPaused = false
      let hasRoom = connections.count < max(1, limits.connections) && !isClosed
      defer { isTurningAway = !hasRoom }
      if hasRoom { connections[ObjectIdentifier(connection)] = connection }
      return (hasRoom, !isTurningAway)
    }
    if isAdmitted { return place(connection.source) }
    connection.end()
    if isNews { diagnose("port \"\(name)\": it has \(limits.connections) connections; more are turned away") }
  }

  /// Adds a new item to the modes that the port is in, whoever changes them meanwhile.
  private func place(_ item: GRunLoop.Item) {
    guard let loop else { return }
    var placed: Set<GRunLoop.Mode> = []
    while true {
      let modes = monitor.withLock { self.modes }
      if modes == placed || !item.isValid { return }
      for mode in modes.subtracting(placed) { loop.add(item, forMode: mode) }
      for mode in placed.subtracting(modes) { loop.remove(item, forMode: mode) }
      placed = modes
    }
  }

  /// The process has no descriptor left, or the kernel no memory: trying at once again would spin.
  private func pause(_ code: CInt) {
    let timer = GRunLoop.Timer(interval: .milliseconds(100), sendableHandler: { [weak self] _ in self?.resume() })
    let isNews = monitor.withLock {
      defer { (isPaused, retry) = (true, timer) }
      return !isPaused
    }
    if isNews {
      let reason = String(cString: strerror(code))
      diagnose("port \"\(name)\": accept failed: \(reason); peers wait until there is room")
    }
    listener.events = []
    place(timer)
  }

  private func resume() {
    monitor.withLock { retry = nil }
    listener.events = .readable
  }

  func forget(_ connection: Connection) {
    monitor.withLock { connections[ObjectIdentifier(connection)] = nil }
  }

  // MARK: Its end

  override func close() {
    let ended: [Connection]? = monitor.withLock {
      if isClosed { return nil }
      isClosed = true
      return Array(connections.values)
    }
    guard let ended else { return }
    listener.invalidate()
    monitor.withLock { retry }?.invalidate()
    for connection in ended { connection.end() }
    registration.release()
  }
}
