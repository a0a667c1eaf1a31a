import CRunLoopShims
import Synchronization

extension GRunLoop {
  /// What is added to a loop in modes: a source, a timer or an observer.
  ///
  /// An item lives in one loop for good, the first that it was added to, and there in any number of modes. The loop
  /// holds it until it is removed from its last mode or invalidated.
  ///
  /// Its handler is called on the loop's thread. There are three ways to say what the handler may touch:
  /// - With `handler`, a plain closure. It need not be `Sendable`, so the item can be added only on the thread that
  ///   made it, to that thread's own loop.
  /// - With `handler`, a closure that is `@MainActor`. The item can be added only to ``GRunLoop/main``.
  /// - With `sendableHandler`. The item can be added to any loop, from any thread.
  ///
  /// Items can be removed, invalidated and asked from every thread.
  public class Item: @unchecked Sendable {
    // Invariant for @unchecked: `home` and `valid` are atomic and `home` is set once; every other variable, here and
    // in the subclasses, is guarded by the home loop's lock, or by `unboundLock` while there is none.

    // The large fields come first, so that the small ones of the subclasses fill the last word.

    /// The lower of two is called first. Equal ones go in the order that each kind of item documents.
    public let order: Int

    let affinity: Affinity
    private let home = Atomic<UnsafeRawPointer?>(nil)
    /// The rank among items of the same order; given when it is added to its first mode.
    @exclusivity(unchecked) var sequence: UInt64 = 0
    @exclusivity(unchecked) var slots = Slots()

    /// When GLib lets it have its turn; see ``GRunLoop/Priority``.
    public let priority: Priority

    private let valid = Atomic<Bool>(true)
    /// Whether something about it is in the table of labels. Relaxed: set by whoever put it there, and never unset.
    private let labelled = Atomic<Bool>(false)

    init(order: Int, priority: Priority, affinity: Affinity) {
      self.order = order
      self.priority = priority
      self.affinity = affinity
    }

    deinit {
      // Acquiring: what the binding thread wrote into the loop's count.
      if let loop = home.load(ordering: .acquiring) { Unmanaged<GRunLoop>.fromOpaque(loop).release() }
      if isLabelled { Labels.forget(ObjectIdentifier(self)) }
    }

    /// What people are to call it: in traces, in reports of stalls, in metrics, and in `debugDescription`. Nil, unless
    /// set. A name costs memory of its own, and nothing otherwise. From any thread. (`g_source_set_name`)
    public final var name: String? {
      get { Labels.of(self)?.label.name }
      set { Labels.change(self) { $0.name = newValue } }
    }

    /// Whether the item can still fire. Once false it stays so.
    public var isValid: Bool {
      // Relaxed: a hint to callers. Whoever needs certainty looks again under the lock.
      valid.load(ordering: .relaxed)
    }

    /// Takes the item out of all its modes, for good. After it returns no call of its handler begins, but for one
    /// that another thread is about to make at this very moment. Does nothing the second time.
    public final func invalidate() {
      if let loop {
        loop.invalidate(self)
      } else {
        if withLock({ markInvalid() }) { freeHandlers() }
      }
    }

    /// The loop that the item was added to, if it ever was. (`CFRunLoopTimerGetRunLoop` and its kin are not public)
    public final var loop: GRunLoop? {
      // Acquiring: pairs with the release in `bind`, so that the loop's own fields are seen.
      guard let loop = home.load(ordering: .acquiring) else { return nil }
      return Unmanaged<GRunLoop>.fromOpaque(loop).takeUnretainedValue()
    }

    // MARK: For the engine

    final var isLabelled: Bool { labelled.load(ordering: .relaxed) }
    final func markLabelled() { labelled.store(true, ordering: .relaxed) }

    /// While an instrument is on: the line that added it first.
    @inline(__always)
    final func noteIfInstrumented(_ file: StaticString, _ line: UInt) {
      if grl_instrumented() { note(Place(file: file, line: line)) }
    }

    @inline(never)
    private func note(_ place: Place) {
      if Labels.of(self)?.label.place == nil { Labels.change(self) { $0.place = place } }
    }

    /// Makes `loop` the item's home. False if another one is.
    final func bind(to loop: GRunLoop) -> Bool {
      if let home = self.loop { return home === loop }
      return unboundLock.withLock {
        let pointer = Unmanaged.passRetained(loop)
        // Acquiring and releasing: the item as it was made is seen by whoever finds the loop.
        let (bound, current) = home.compareExchange(
          expected: nil, desired: UnsafeRawPointer(pointer.toOpaque()), ordering: .acquiringAndReleasing)
        if bound { return true }
        pointer.release()
        return current == UnsafeRawPointer(pointer.toOpaque())
      }
    }

    /// Runs `body` under the lock that guards the item now.
    @inline(__always)
    final func withLock<Result>(_ body: () -> Result) -> Result { withHome { _ in body() } }

    /// Likewise, with the item's loop. It is not counted: the item holds it.
    @inline(__always)
    final func withHome<Result>(_ body: (GRunLoop?) -> Result) -> Result {
      // Acquiring: see `loop`.
      guard let loop = home.load(ordering: .acquiring) else { return withoutHome(body) }
      return Unmanaged<GRunLoop>.fromOpaque(loop)._withUnsafeGuaranteedRef { loop in
        // A forked child has one thread, and the lock may be held by one that it does not have: it only looks.
        loop.isForked ? body(loop) : loop.lock.withLock { body(loop) }
      }
    }

    private func withoutHome<Result>(_ body: (GRunLoop?) -> Result) -> Result {
      unboundLock.lock()
      if let loop {
        unboundLock.unlock()
        return loop.lock.withLock { body(loop) }
      }
      defer { unboundLock.unlock() }
      return body(nil)
    }

    /// Under the lock: true for the first caller.
    final func markInvalid() -> Bool {
      // Relaxed: the lock orders it for whoever must be certain.
      valid.exchange(false, ordering: .relaxed)
    }

    /// Whether a source or timer, which keeps a mode running, or an observer, which does not.
    var keepsModeAlive: Bool { true }

    /// Under the lock: does what being in a mode means for this kind; the item's slot is there. Returns why it cannot be.
    func join(_ state: ModeState, of loop: GRunLoop) -> String? { nil }

    /// Under the lock: takes back what `join` did; the item's slot is still there.
    func leave(_ state: ModeState, of loop: GRunLoop) {}

    /// Without the lock: says that the item has joined or left a mode.
    func didJoin(_ loop: GRunLoop, _ mode: Mode) {}
    func didLeave(_ loop: GRunLoop, _ mode: Mode) {}

    /// Whether `didLeave` calls user code.
    var announcesLeaving: Bool { false }

    /// Without the lock: frees the closures, whose captures may have a deinit of the user's.
    func freeHandlers() {}

    /// Without the lock, on the loop's thread: the turn of an item whose priority is not the default.
    func takeTurn(on loop: GRunLoop) {}

    /// Under the lock: it stands in line no more, though its turn has not come.
    func turnEnded(on loop: GRunLoop) {}

    /// The kind and what is special about it, for `debugDescription`. Under the lock.
    var summary: String { "item" }
  }

  /// Where an item's handler may run.
  struct Affinity: Equatable {
    /// A thread's number; no thread has the two below.
    private let number: UInt64

    static let anyThread = Affinity(number: 0)
    static let mainLoop = Affinity(number: .max)
    static var thisThread: Affinity { Affinity(number: grl_thread_number()) }
  }
}

/// Guards items that are in no loop yet. Held for a few instructions, never together with user code.
private let unboundLock = Lock()
