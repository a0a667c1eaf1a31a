import GLibRunLoop
import Synchronization

/// What a ``Port`` and a ``MessagePort`` have in common: each is a source that is scheduled on a loop in modes.
///
/// ```swift
/// GRunLoop.current.add(port, forMode: .default)
/// ```
///
/// The loop holds a port while it is in a mode. As every item a port lives in one loop for good, and its handler is
/// called there; how the handler says on which loops that can be is told at ``/GLibRunLoop/GRunLoop/Item``.
public class ScheduledPort: @unchecked Sendable {
  // Invariant for @unchecked: `source` is set once, in init; all else, here and in the subclasses, is guarded by the
  // monitor or says otherwise. No user code runs with the monitor held.

  let monitor = Monitor()
  private(set) var source: GRunLoop.Source! = nil
  /// How many modes it is in. Two threads that add and remove may take it below zero for a moment.
  private var modeCount = 0
  /// Itself, while it is in a mode: so the loop, which has the source only, holds the port.
  private var hold: ScheduledPort?

  /// How often the port has left a mode or ended: who delivers several messages in a row then leaves the rest to the next
  /// pass, which knows whether they may come. Relaxed: no sooner known than another thread's removal is.
  let disturbances = Atomic<Int>(0)

  init() {}

  /// The second half of init: what the source calls needs the whole object.
  final func makeSource<Argument: Sendable>(
    _ order: Int, _ priority: GRunLoop.Priority, _ receiver: Receiver<Argument>,
    _ fire: @escaping @Sendable (Handler<Argument>) -> Void
  ) {
    let joined: @Sendable (GRunLoop.Source, GRunLoop, GRunLoop.Mode) -> Void = { [weak self] in self?.joined($1, $2) }
    let left: @Sendable (GRunLoop.Source, GRunLoop, GRunLoop.Mode) -> Void = { [weak self] in self?.left($1, $2) }
    // The engine frees a source's closure where its handler may be freed, and the user's handler with it.
    switch receiver {
    case .thisThread(let call):
      let handler = Handler(call: call)
      let body: (GRunLoop.Source) -> Void = { _ in fire(handler) }
      source = GRunLoop.Source(
        order: order, priority: priority, onScheduled: joined, onCancelled: left, handler: body)
      handlerWasMade(handler)
    case .mainActor(let call):
      let handler = Handler<Argument> { argument in MainActor.assumeIsolated { call(argument) } }
      nonisolated(unsafe) let unchecked = handler  // Called on the main loop's thread only, as the source sees to.
      let body: @MainActor (GRunLoop.Source) -> Void = { _ in fire(unchecked) }
      source = GRunLoop.Source(
        order: order, priority: priority, onScheduled: joined, onCancelled: left, handler: body)
      handlerWasMade(handler)
    case .anyThread(let call):
      let handler = Handler<Argument>(call: call)
      nonisolated(unsafe) let unchecked = handler  // What it calls is Sendable.
      source = GRunLoop.Source(
        order: order, priority: priority, onScheduled: joined, onCancelled: left,
        sendableHandler: { _ in fire(unchecked) })
      handlerWasMade(handler)
    }
  }

  deinit { source?.invalidate() }

  /// Whether the port still receives. Once false it stays so: after ``invalidate()``, and when its loop has ended.
  public final var isValid: Bool { source.isValid }

  /// The loop that the port was added to, if it ever was.
  public final var loop: GRunLoop? { source.loop }

  /// Takes the port out of its modes for good, from any thread. What has not been delivered is dropped, and who waits
  /// to send is told. Does nothing the second time. (`NSPort.invalidate`, `CFMessagePortInvalidate`)
  public final func invalidate() {
    source.invalidate()
    close()
  }

  // MARK: For the subclasses

  /// Called once, in init.
  func handlerWasMade(_ handler: AnyObject) {}

  /// Without the monitor: the port has ended. May be called several times, on any thread.
  func close() {}

  /// Without the monitor: the port is in one mode more.
  func joined(_ loop: GRunLoop, _ mode: GRunLoop.Mode) { count(1) }

  /// Without the monitor: the port is in one mode less, perhaps because it or its loop has ended.
  func left(_ loop: GRunLoop, _ mode: GRunLoop.Mode) {
    disturbances.add(1, ordering: .relaxed)
    if !source.isValid { close() }
    count(-1)
  }

  private func count(_ change: Int) {
    let old = monitor.withLock {
      defer {
        modeCount += change
        hold = modeCount > 0 ? self : nil
      }
      return hold
    }
    withExtendedLifetime(old) {}
  }
}

/// What a port calls, and where it may.
enum Receiver<Argument: Sendable> {
  case thisThread((Argument) -> Void)
  case mainActor(@MainActor (Argument) -> Void)
  case anyThread(@Sendable (Argument) -> Void)
}

/// Owned by the port's source alone.
final class Handler<Argument> {
  let call: (Argument) -> Void

  init(call: @escaping (Argument) -> Void) { self.call = call }
}

extension GRunLoop {
  /// Schedules a port in a mode, or in every mode of the common set, as items are:
  /// ``/GLibRunLoop/GRunLoop/add(_:forMode:fileID:line:)->Bool``.
  ///
  /// - Returns: Whether the port is in the mode now.
  @discardableResult
  public func add(_ port: ScheduledPort, forMode mode: Mode) -> Bool { add(port.source, forMode: mode) }

  /// Takes a port out of a mode. It can be added again; what is sent meanwhile is kept.
  public func remove(_ port: ScheduledPort, forMode mode: Mode) { remove(port.source, forMode: mode) }

  /// Whether a port is scheduled in a mode.
  public func contains(_ port: ScheduledPort, inMode mode: Mode) -> Bool { contains(port.source, inMode: mode) }
}
