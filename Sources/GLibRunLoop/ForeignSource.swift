import CGLib
import CRunLoopShims

extension GRunLoop {
  /// A `GSource` of somebody else's, GLib's, GIO's or GStreamer's, in chosen modes of a loop.
  ///
  /// The source lives in a small context of its own, which the loop asks in those modes only. What its call-back starts
  /// with GIO finishes in the same modes. Removing it from its last mode destroys it, since a `GSource` can be
  /// attached only once; if it ends by itself, it leaves its modes.
  public class ForeignSource: Item, @unchecked Sendable {
    // Invariant for @unchecked: as for Item. The context is acquired only on the loop's thread.

    private let source: UnsafeMutablePointer<GSource>
    private let child: OpaquePointer
    private var forwarders: [ObjectIdentifier: ForwardingSource] = [:]
    /// Attached by us; one that was refused remains its owner's.
    private var isTaken = false

    /// Wraps a source that is not attached yet. Takes a reference of its own.
    public convenience init(_ source: UnsafeMutablePointer<GSource>) {
      self.init(adopting: g_source_ref(source), affinity: .anyThread)
    }

    init(adopting source: UnsafeMutablePointer<GSource>, affinity: Affinity) {
      self.source = source
      child = g_main_context_new()
      super.init(order: 0, priority: Priority(rawValue: g_source_get_priority(source)), affinity: affinity)
    }

    deinit {
      if isTaken { g_source_destroy(source) }
      g_source_unref(source)
      g_main_context_unref(child)
    }

    // MARK: Kinds that have a handler of their own

    /// What a `GSource` calls, and frees when it is destroyed.
    final class Callback {
      private let body: (CInt) -> Void

      init(_ body: @escaping (CInt) -> Void) { self.body = body }

      static func run(_ box: gpointer?, _ value: CInt) {
        Unmanaged<Callback>.fromOpaque(box!).takeUnretainedValue().body(value)
      }
    }

    func setCallback(_ function: GSourceFunc?, _ body: @escaping (CInt) -> Void) {
      g_source_set_callback(
        source, function, Unmanaged.passRetained(Callback(body)).toOpaque(),
        { Unmanaged<Callback>.fromOpaque($0!).release() })
      // Nobody else has it.
      isTaken = true
    }

    // MARK: For the engine

    fileprivate var hasEnded: Bool { g_source_is_destroyed(source) != 0 }

    override func join(_ state: ModeState, of loop: GRunLoop) -> String? {
      if hasEnded { return "the GSource was destroyed; one can be attached only once" }
      if let context = g_source_get_context(source) {
        if context != child { return "the GSource is attached to another context" }
      } else {
        if let other = loop.foreignSources[source], other !== self {
          return "another thread is adding the same GSource"
        }
        g_source_attach(source, child)
        isTaken = true
      }
      loop.foreignSources[source] = self
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
        let forwarder = ForwardingSource(item: self, child: child, loop: loop, priority: priority.rawValue)
        forwarders[ObjectIdentifier(binding)] = forwarder
        forwarder.attach(to: binding.context)
      }
    }

    override func didLeave(_ loop: GRunLoop, _ mode: Mode) {
      loop.chore {
        guard self.withLock({ self.slots.isEmpty }) else { return }
        for forwarder in self.forwarders.values { forwarder.destroy() }
        self.forwarders = [:]
        g_source_destroy(self.source)
        self.invalidate()
      }
    }

    override var announcesLeaving: Bool { true }

    override func freeHandlers() {
      if isTaken {
        g_source_destroy(source)
        // What was never attached keeps its call-back otherwise (GLib 2.74).
        g_source_set_callback(source, nil, nil, nil)
      }
      guard let loop else { return }
      loop.lock.withLock { loop.foreignSources[source] = nil }
    }

    override var summary: String {
      let name = g_source_get_name(source).map { String(cString: $0) }
      return "GSource \(name ?? "without a name")"
    }
  }

  /// Puts a `GSource` that is not attached anywhere into a mode; again, with another mode, into that one too.
  /// From any thread. (`g_source_attach`)
  ///
  /// - Parameter source: A `GSource *`. The loop takes a reference.
  /// - Returns: The item that stands for it, to be asked, removed or invalidated.
  @discardableResult
  public func add(_ source: UnsafeMutablePointer<GSource>, forMode mode: Mode) -> ForeignSource {
    let known = isForked ? nil : lock.withLock { foreignSources[source] }
    let item = known ?? ForeignSource(source)
    add(item, forMode: mode)
    return item
  }
}

/// Lets a child context take part in another one, as a source of it, while its item is in the running mode.
private final class ForwardingSource: HostSource {
  private unowned let loop: GRunLoop
  private weak var item: GRunLoop.ForeignSource?
  private let child: OpaquePointer
  /// The child's descriptors, as GLib polls them for us. Their addresses are known to the context.
  private var records: [UnsafeMutablePointer<GPollFD>] = []
  private var queried: [GPollFD] = []
  private var priority: CInt = 0

  init(item: GRunLoop.ForeignSource, child: OpaquePointer, loop: GRunLoop, priority: CInt) {
    self.item = item
    self.child = g_main_context_ref(child)
    self.loop = loop
    super.init(name: "GRunLoop foreign source", priority: priority)
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
    if hasEnded { return true }
    guard isOn, g_main_context_acquire(child) != 0 else { return false }
    defer { g_main_context_release(child) }
    var descriptors = records.map(\.pointee)
    return g_main_context_check(child, CInt.max, &descriptors, CInt(descriptors.count)) != 0
  }

  override func dispatch() -> Bool {
    guard let item else { return false }
    if loop.isForked { return true }
    if item.hasEnded {
      item.invalidate()
      return false
    }
    loop.handledSource = true
    g_main_context_push_thread_default(child)
    g_main_context_dispatch(child)
    g_main_context_pop_thread_default(child)
    if item.hasEnded { item.invalidate() }
    return true
  }
}
