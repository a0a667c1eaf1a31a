import GLibRunLoop
import Synchronization

/// A place in one thread's loop that other threads of the process send messages to.
///
/// ```swift
/// let port = Port { message in print("got", message.id) }
/// GRunLoop.current.add(port, forMode: .default)
/// // on any thread:
/// try port.send(PortMessage(id: 100, replyPort: mine), before: .now + .seconds(1))
/// ```
///
/// Messages of one sender arrive in the order sent, each once. While the receiver is busy a send makes no system call;
/// a receiver that sleeps is woken once for all that come meanwhile. A handler may run the loop: the messages behind
/// its own are then delivered there, in order.
///
/// The counterpart is `NSPort`, within one process.
public final class Port: ScheduledPort, @unchecked Sendable {
  // Invariant for @unchecked: see ScheduledPort; `batch` is touched by the loop's thread inside `fire`, else under the
  // monitor while nobody is there.

  /// What is sent and not yet taken by the loop's thread.
  private var incoming: [PortMessage] = []
  /// How many messages were ever accepted.
  private var accepted = 0
  /// What `delivered` was when a sender last looked.
  private var knownDelivered = 0
  /// The source is signalled, or about to be: it is whenever there is a message to deliver.
  private var isSignalled = false
  private var isClosed = false
  private var room: Int
  /// How many calls of `fire` are in progress, one nested in the other.
  private var firing = 0
  /// What the loop's thread has taken, the first one last.
  private var batch: [PortMessage] = []

  /// How many messages were ever delivered. Written by the loop's thread. Sequentially consistent, together with
  /// `senderWaits`: the sender sets that and then looks here, the receiver the other way round, so one sees the other.
  private let delivered = Atomic<Int>(0)
  private let senderWaits = Atomic<Bool>(false)

  /// How many messages a port holds unless told otherwise.
  public static let defaultCapacity = 1024

  /// A port that is added on this thread, to this thread's loop.
  ///
  /// - Parameters:
  ///   - capacity: How many messages may wait to be delivered; at least one. A sender waits for room.
  ///   - order: Of the sources that are ready in a pass, the lower order fires first.
  ///   - priority: When GLib lets it have its turn.
  ///   - handler: Called on the loop's thread with each message.
  public convenience init(
    capacity: Int = defaultCapacity, order: Int = 0, priority: GRunLoop.Priority = .default,
    handler: @escaping (PortMessage) -> Void
  ) {
    self.init(capacity, order, priority, .thisThread(handler))
  }

  /// A port whose handler is the main actor's: for ``/GLibRunLoop/GRunLoop/main`` only.
  public convenience init(
    capacity: Int = defaultCapacity, order: Int = 0, priority: GRunLoop.Priority = .default,
    handler: @escaping @MainActor (PortMessage) -> Void
  ) {
    self.init(capacity, order, priority, .mainActor(handler))
  }

  /// A port that can be added to any loop, from any thread.
  @_disfavoredOverload
  public convenience init(
    capacity: Int = defaultCapacity, order: Int = 0, priority: GRunLoop.Priority = .default,
    sendableHandler: @escaping @Sendable (PortMessage) -> Void
  ) {
    self.init(capacity, order, priority, .anyThread(sendableHandler))
  }

  private init(
    _ capacity: Int, _ order: Int, _ priority: GRunLoop.Priority, _ receiver: Receiver<PortMessage>
  ) {
    room = max(1, capacity)
    super.init()
    makeSource(order, priority, receiver) { [weak self] in self?.fire($0) }
  }

  /// How many messages may wait to be delivered. Lowering it drops nothing; senders wait until there is room again.
  public var capacity: Int {
    get { monitor.withLock { room } }
    set {
      monitor.withLock {
        room = max(1, newValue)
        monitor.broadcast()
      }
    }
  }

  /// Puts a message into the port, and wakes its loop. From any thread.
  ///
  /// If the port is full the calling thread sleeps until there is room or the time is up. The port's own thread does
  /// not wait, since nobody else makes room: to it a full port says at once that the time is up.
  /// (`NSPort.send(before:components:from:reserved:)`)
  ///
  /// - Parameters:
  ///   - message: What the port's handler is given.
  ///   - limit: When to give up. A date in the past tries once.
  /// - Throws: ``PortFailure/timedOut`` or ``PortFailure/invalid``: then the message was not sent and will not be.
  public func send(_ message: PortMessage, before limit: GRunLoop.Instant = .distantFuture) throws(PortFailure) {
    monitor.lock()
    if isFull, !isClosed {
      if let failure = waitForRoom(limit.monotonic) {
        monitor.unlock()
        throw failure
      }
    }
    if isClosed {
      monitor.unlock()
      throw .invalid
    }
    incoming.append(message)
    accepted += 1
    let signals = !isSignalled
    isSignalled = true
    monitor.unlock()
    if signals { source.signal() }
  }

  /// Under the monitor. The receiver's count is looked at only when the one known says that it is full: each look takes
  /// the receiver's cache line from it.
  private var isFull: Bool {
    if accepted - knownDelivered < room { return false }
    knownDelivered = delivered.load(ordering: .sequentiallyConsistent)
    return accepted - knownDelivered >= room
  }

  private func waitForRoom(_ limit: Int64) -> PortFailure? {
    if loop?.isCurrent == true { return .timedOut }
    var hasTime = !GRunLoop.Instant.hasPassed(limit)
    while !isClosed {
      senderWaits.store(true, ordering: .sequentiallyConsistent)
      if !isFull { return nil }
      if !hasTime { return .timedOut }
      hasTime = monitor.wait(until: limit)
    }
    return nil
  }

  // MARK: On the loop's thread

  /// The source was signalled. All that has come is delivered but for one message, for which the source is signalled
  /// again first: so a run that a handler nests in here finds the rest, and no call of this is for nothing.
  private func fire(_ handler: Handler<PortMessage>) {
    monitor.lock()
    firing += 1
    if batch.isEmpty {
      swap(&batch, &incoming)
      batch.reverse()
    }
    isSignalled = !isClosed && batch.count + incoming.count > 1
    let signals = isSignalled
    let hasMessage = !isClosed && !batch.isEmpty
    let known = disturbances.load(ordering: .relaxed)
    monitor.unlock()
    if signals { source.signal(wakingLoop: false) }
    if hasMessage {
      repeat { deliver(handler) } while batch.count > 1 && disturbances.load(ordering: .relaxed) == known
    }
    monitor.lock()
    firing -= 1
    let waste = takeWaste()
    monitor.unlock()
    withExtendedLifetime(waste) {}
  }

  @inline(__always)
  private func deliver(_ handler: Handler<PortMessage>) {
    let message = batch.removeLast()
    delivered.add(1, ordering: .sequentiallyConsistent)
    if senderWaits.load(ordering: .sequentiallyConsistent) { letSendersIn() }
    handler.call(message)
  }

  @inline(never)
  private func letSendersIn() {
    monitor.withLock {
      senderWaits.store(false, ordering: .sequentiallyConsistent)
      monitor.broadcast()
    }
  }

  // MARK: Its end

  /// Under the monitor: the messages of a port that has ended. They may hold the last reference to another port, or to
  /// this one, and are let go of without the monitor.
  private func takeWaste() -> [PortMessage] {
    guard isClosed else { return [] }
    defer { incoming = [] }
    if firing > 0 { return incoming }
    defer { batch = [] }
    return incoming + batch
  }

  override func close() {
    let waste = monitor.withLock {
      isClosed = true
      disturbances.add(1, ordering: .relaxed)
      monitor.broadcast()
      return takeWaste()
    }
    withExtendedLifetime(waste) {}
  }
}
