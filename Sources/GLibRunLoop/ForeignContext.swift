import CGLib
import CRunLoopShims
import Synchronization

extension GRunLoop {
  /// A `GMainContext` that takes part in a loop in chosen modes: for code that attaches sources of its own.
  ///
  /// A `GSocketService`, a `GFileMonitor`, a D-Bus connection, a libsoup session: they show nobody their sources, but
  /// attach them to what was the thread-default context when they were started or made. What is made inside
  /// ``asThreadDefault(_:)`` belongs to this one, and so does all that its call-backs start.
  ///
  /// ```swift
  /// let server = GRunLoop.ForeignContext()
  /// server.asThreadDefault { g_socket_service_start(service) }
  /// loop.add(server, forMode: "server")
  /// ```
  ///
  /// Its sources are heard in those modes only; what happens in others is held. It is an input source: it keeps its
  /// modes running, and a pass that dispatched one of its sources has handled a source. Out of all modes it waits to be
  /// added again. (`g_main_context_push_thread_default`)
  public class ForeignContext: Item, @unchecked Sendable {
    // Invariant for @unchecked: as for Item. `forwarders` and `dispatches` are the loop's thread's, which alone acquires
    // the context.

    /// The context, a `GMainContext *`, to attach sources to, from any thread. Nobody else may iterate it. It lives as
    /// long as the item.
    public final var context: OpaquePointer { madeContext ?? makeContext() }

    private let contextPointer = Atomic<UnsafeRawPointer?>(nil)
    private var forwarders: [ObjectIdentifier: ForwardingSource] = [:]
    /// How many dispatches of the context's sources are in progress, one in the other.
    fileprivate final var dispatches = 0 {
      didSet { if dispatches == 0 { restIfDone() } }
    }

    /// A context that holds no source yet.
    ///
    /// - Parameter priority: When the loop's context lets its sources have their turn; among each other they have their
    ///   own ones.
    public convenience init(priority: Priority = .default) { self.init(priority: priority, affinity: .anyThread) }

    init(priority: Priority, affinity: Affinity) {
      super.init(order: 0, priority: priority, affinity: affinity)
    }

    deinit {
      guard let context = madeContext else { return }
      loop?.forget(privateContext: context)
      g_main_context_unref(context)
    }

    private var madeContext: OpaquePointer? {
      contextPointer.load(ordering: .acquiring).map { OpaquePointer($0) }  // Acquiring: the context as it was made.
    }

    private func makeContext() -> OpaquePointer {
      // Between two turns nobody owns it. Without the flag, what another thread attaches would wake nobody then.
      let new = g_main_context_new_with_flags(G_MAIN_CONTEXT_FLAGS_OWNERLESS_POLLING)!
      // Releasing and acquiring: as above.
      let (isFirst, other) = contextPointer.compareExchange(
        expected: nil, desired: UnsafeRawPointer(new), ordering: .acquiringAndReleasing)
      if isFirst { return new }
      g_main_context_unref(new)
      return OpaquePointer(other!)
    }

    /// Calls a closure in which the item's context is the thread-default one. On the loop's thread, or before the item
    /// was added. (`g_main_context_push_thread_default`)
    public final func asThreadDefault<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      g_main_context_push_thread_default(context)
      defer { g_main_context_pop_thread_default(context) }
      return try body()
    }

    // MARK: For the engine

    /// Nothing will come from it any more.
    var hasEnded: Bool { false }

    /// Each context takes a descriptor, and GLib ends the process if there is none.
    override func join(_ state: ModeState, of loop: GRunLoop) -> String? {
      if madeContext != nil { return nil }
      let error = grl_descriptor_error()
      if error != 0 { return "a GSource in chosen modes takes a descriptor: \(String(cString: strerror(error)))" }
      _ = makeContext()
      return nil
    }

    override func didJoin(_ loop: GRunLoop, _ mode: Mode) { loop.chore { self.forward(in: mode, of: loop) } }

    /// A forwarding source in each context in which its modes run. In the host's too, which may be in a private mode.
    private func forward(in mode: Mode, of loop: GRunLoop) {
      let (state, isCommon) = loop.lock.withLock {
        (loop.state(for: mode), mode == .common || loop.commonModes.contains(mode))
      }
      for binding in isCommon ? [loop.host] : [loop.host, loop.privateBinding(of: state)]
      where isValid && forwarders[ObjectIdentifier(binding)] == nil {
        let forwarder = ForwardingSource(item: self, loop: loop)
        forwarders[ObjectIdentifier(binding)] = forwarder
        forwarder.attach(to: binding.context)
      }
    }

    override func didLeave(_ loop: GRunLoop, _ mode: Mode) {
      loop.chore {
        guard self.withLock({ self.slots.isEmpty }) else { return }
        for forwarder in self.forwarders.values { forwarder.destroy() }
        self.forwarders = [:]
        self.didLeaveAll()
        self.restIfDone()
      }
    }

    /// On the loop's thread.
    private func restIfDone() { if dispatches == 0, !isValid, withLock({ slots.isEmpty }) { didComeToRest() } }

    /// On the loop's thread: it is in no mode any more.
    func didLeaveAll() {}

    /// On the loop's thread: it is invalid and in no mode any more, and GLib is done with its sources.
    func didComeToRest() {}

    override var announcesLeaving: Bool { true }

    override var summary: String { "ForeignContext" }
  }
}

/// Lets the item's context take part in another one, as a source of it, while the item is in the running mode.
private final class ForwardingSource: HostSource {
  private unowned let loop: GRunLoop
  private weak var item: GRunLoop.ForeignContext?
  private let child: OpaquePointer
  /// The child's descriptors, as GLib polls them for us. Their addresses are known to the context.
  private var records: [UnsafeMutablePointer<GPollFD>] = []
  private var queried: [GPollFD] = []
  private var priority: CInt = 0

  init(item: GRunLoop.ForeignContext, loop: GRunLoop) {
    self.item = item
    child = g_main_context_ref(item.context)
    self.loop = loop
    loop.note(privateContext: child)
    super.init(name: "GRunLoop foreign context", priority: item.priority.rawValue)
  }

  deinit {
    for record in records { record.deallocate() }
    g_main_context_unref(child)
  }

  private var isOn: Bool {
    guard let item, item.isValid, !loop.isForked else { return false }
    return loop.lock.withLock { loop.scopeState(of: item) != nil }
  }

  override func prepare() -> CInt {
    if hasEnded { return 0 }
    guard isOn, g_main_context_acquire(child) != 0 else {
      poll([])
      return -1
    }
    defer { g_main_context_release(child) }
    let isReady = g_main_context_prepare(child, &priority) != 0
    var timeout: CInt = -1
    var count = g_main_context_query(child, CInt.max, &timeout, &queried, CInt(queried.count))
    while count > CInt(queried.count) {
      queried = Array(repeating: GPollFD(), count: Int(count))
      count = g_main_context_query(child, CInt.max, &timeout, &queried, CInt(queried.count))
    }
    queried.removeLast(queried.count - Int(count))
    poll(queried)
    return isReady ? 0 : timeout
  }

  /// Has the context poll these. Only a change costs anything, since each one makes GLib look again.
  private func poll(_ wanted: [GPollFD]) {
    let same =
      wanted.count == records.count
      && zip(wanted, records).allSatisfy { $0.fd == $1.pointee.fd && $0.events == $1.pointee.events }
    if same { return }
    for record in records {
      g_source_remove_poll(source, record)
      record.deallocate()
    }
    records = wanted.map { descriptor in
      let record = UnsafeMutablePointer<GPollFD>.allocate(capacity: 1)
      record.initialize(to: descriptor)
      g_source_add_poll(source, record)
      return record
    }
  }

  /// Its owner destroyed the source, or it ended by itself; the item is to leave its modes.
  private var hasEnded: Bool { !loop.isForked && (item?.hasEnded ?? true) }

  override func check() -> Bool {
    if hasEnded { return isReady() }
    guard isOn, g_main_context_acquire(child) != 0 else { return false }
    defer { g_main_context_release(child) }
    var descriptors = records.map(\.pointee)
    return g_main_context_check(child, CInt.max, &descriptors, CInt(descriptors.count)) != 0 && isReady()
  }

  private func isReady() -> Bool {
    if !loop.isForked {
      let ready = records.count { $0.pointee.revents != 0 }
      loop.arbitration.isReady(g_source_get_priority(source), descriptors: ready)
    }
    return true
  }

  override func dispatch() -> Bool {
    guard let item else { return false }
    if loop.isForked { return true }
    if item.hasEnded {
      item.invalidate()
      return false
    }
    loop.handledSource = true
    item.dispatches += 1
    defer { item.dispatches -= 1 }
    g_main_context_push_thread_default(child)
    let probed = loop.callBegins(.foreign, item)
    g_main_context_dispatch(child)
    loop.callEnds(probed)
    g_main_context_pop_thread_default(child)
    if item.hasEnded { item.invalidate() }
    return true
  }
}
