import CGLib
import CRunLoopShims
import Synchronization

extension GRunLoop {
  /// The process's main loop: that of its first thread, in the global default context. From any thread.
  ///
  /// While it runs, whoever drives, it serves `DispatchQueue.main` and so the main actor, in modes of the common set. In
  /// a program that GLib drives, asking for it once is what puts it into the context: do so before `g_main_loop_run`,
  /// `g_application_run` or the like.
  /// If the default context is driven by another thread, the loop is that thread's, and the main queue is not served.
  /// (`CFRunLoopGetMain`, `g_main_context_default`)
  public static var main: GRunLoop {
    if grl_thread_is_first() { theMain.claimForThisThread() }
    return theMain
  }

  private static let theMain: GRunLoop = {
    let loop = GRunLoop(context: g_main_context_default(), thread: 0, isMain: true, isOwned: true)
    UnturnedMainLoop.lookOut(for: loop)
    return loop
  }()

  /// This thread's loop, the same at each call. It lives in the thread's thread-default context, or else in a context
  /// of its own, which becomes the thread-default one. It ends with the thread. (`CFRunLoopGetCurrent`)
  ///
  /// A new loop takes three descriptors. If the process may not open that many, it ends with a message, as GLib ends it
  /// when a main context cannot be made (`g_main_context_new`).
  public static var current: GRunLoop {
    if let slot = grl_thread_get(GRL_SLOT_LOOP) {
      return slot == hasEndedMark ? ended : Unmanaged<GRunLoop>.fromOpaque(slot).takeUnretainedValue()
    }
    if grl_thread_is_first() {
      grl_thread_set(GRL_SLOT_LOOP, Unmanaged.passRetained(main).toOpaque())
      return main
    }
    return Registry.loopOfThisThread()
  }

  /// The loop in a context that some other code runs, perhaps on a thread that is not Swift's. This is how work gets
  /// there: add items with `sendableHandler`, and perform. The same context gives the same loop.
  ///
  /// The loop holds no reference to the context, and ends with it, or with the thread that drove it. As long as that
  /// thread lives, a context that nobody iterates any more cannot be told from one that pauses: give
  /// ``performAndWait(timeout:fileID:line:_:)-(_,_,_,()->Value)`` a time limit.
  ///
  /// - Parameter context: A `GMainContext *` that is alive; nil is the global default one.
  public static func loop(for context: OpaquePointer?) -> GRunLoop {
    guard let context, context != g_main_context_default() else { return main }
    return Registry.loop(for: context)
  }

  /// On the process's first thread: the main loop is its own, unless another thread drives the default context.
  private func claimForThisThread() {
    guard thread.load(ordering: .relaxed) == 0, !isForked else { return }  // Relaxed: see `isCurrent`.
    // Not held: a host that iterates the default context by hand on another thread lets go of it between two turns,
    // and would never get it back. Runs acquire it while they last.
    if g_main_context_acquire(context) != 0 {
      g_main_context_release(context)
      thread.store(grl_thread_number(), ordering: .relaxed)
    }
  }

  /// On the thread that iterates the context.
  func noteThread() {
    let number = grl_thread_number()
    let before = thread.load(ordering: .relaxed)  // Relaxed: see `isCurrent`.
    guard before != number else { return }
    thread.store(number, ordering: .relaxed)
    if isAdopted { Registry.watchEnd(of: self, before: before) }
    guard let mainQueue else { return }
    lock.withLock {
      mainQueue.noteThread()
      mainQueue.setWatched(scope.common != nil, in: waitSet)
    }
  }

  // MARK: The end

  /// The loop's thread is ending, or its context has: everything that waits is told, everything held is let go.
  /// On the thread that was the loop's, or on the one that let the context go.
  func end() {
    var items: [(item: Item, modes: [Mode])] = []
    var performs = PerformQueue()
    let isFirst = lock.withLock {
      if hasEnded { return false }
      EndedLoops.holdBack(self)
      hasEnded = true
      wakeNeeded = false
      for state in [common] + modes.values {
        for priority in state.priorities {
          state.withWaiting(priority) { performs.append(contentsOf: &$0) }
          state.withTaken(priority) { performs.append(contentsOf: &$0) }
        }
        for item in state.items where item.markInvalid() {
          let states = item.slots.states
          items.append((item, states.map(\.mode)))
          for state in states { detach(item, from: state) }
        }
      }
      performs.append(contentsOf: &heldJobs)
      return true
    }
    guard isFirst else { return }
    Probes.loopEnded(self)
    manualClock?.end()
    let targets = lock.withLock { takeTargets() }
    defer { withExtendedLifetime(targets) {} }
    // A waker that claimed before may still be writing to a descriptor that is about to be closed.
    awaitWakers()
    performs.sortByNumber()
    // One of several modes comes more than once; to abandon it again does nothing.
    while performs.count > 0 { abandon(performs.removeFirst(), because: .ended) }
    items.sort { $0.item.sequence < $1.item.sequence }
    for (item, modes) in items { callOff(item, in: modes) }
    for chore in lock.withLock({ takeChores() ?? [] }) { chore() }
    bell?.close()
    for binding in bindings {
      if binding !== host { forget(privateContext: binding.context) }
      binding.detach()
    }
    spareBinding = nil
    lock.withLock {
      for state in modes.values { state.binding = nil }
      foreignSources = [:]
      waitSet.close()
    }
    EndedLoops.begin(self)
  }

  /// Whether the thread that ends leaves the loop behind with nobody to drive it.
  func isLeft(by number: UInt64) -> Bool {
    if thread.load(ordering: .relaxed) == number { return true }  // Relaxed: see `isCurrent`.
    guard g_main_context_acquire(context) != 0 else { return false }
    g_main_context_release(context)
    return true
  }

  func hostContextEnded() {
    Registry.forget(self)
    host.isEnding = true
    end()
  }

  /// The context of a private mode belongs to the loop, too.
  func note(privateContext: OpaquePointer) { Registry.note(privateContext, of: self) }
  func forget(privateContext: OpaquePointer) { Registry.forget(privateContext) }

  /// In a thread's slot once its loop has ended: no address of an object.
  static var hasEndedMark: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped }

  /// What a thread finds that asks for its loop after that has ended: one of which the same is true.
  private static let ended: GRunLoop = {
    // Never let go of, so that its context can still be asked for.
    let context = g_main_context_new()!
    let loop = GRunLoop(context: context, thread: 0, isMain: false, isOwned: true)
    loop.end()
    return loop
  }()
}

/// Which loop lives in which context, and which thread's end is whose.
private enum Registry {
  /// Guards `loops`. Taken before a loop's own lock, never after, and not held while user code runs.
  private static let lock = Lock()
  /// The loops that are not the main one, by their contexts. Each is held by the source in its context, or by its
  /// thread, and leaves this table before it goes.
  private nonisolated(unsafe) static var loops: [OpaquePointer: Unmanaged<GRunLoop>] = [:]

  static func loop(for context: OpaquePointer) -> GRunLoop {
    lock.lock()
    defer { lock.unlock() }
    if let loop = loops[context] { return loop.takeUnretainedValue() }
    let loop = GRunLoop(context: context, thread: 0, isMain: false, isOwned: false)
    loops[context] = Unmanaged.passUnretained(loop)
    return loop
  }

  static func note(_ context: OpaquePointer, of loop: GRunLoop) {
    lock.withLock { loops[context] = Unmanaged.passUnretained(loop) }
  }

  static func forget(_ context: OpaquePointer) { lock.withLock { loops[context] = nil } }

  static func forget(_ loop: GRunLoop) {
    let id = ObjectIdentifier(loop)
    // Freed without the lock.
    let watched = lock.withLock {
      if loops[loop.context]?.toOpaque() == Unmanaged.passUnretained(loop).toOpaque() { loops[loop.context] = nil }
      // Relaxed: see `GRunLoop.isCurrent`.
      return threads[loop.thread.load(ordering: .relaxed)]?.removeValue(forKey: id)
    }
    withExtendedLifetime(watched) {}
  }

  /// The loop in whose context a call-back of GLib's is running on this thread.
  private static var dispatchedLoop: GRunLoop? {
    guard let context = g_main_current_source().flatMap({ g_source_get_context($0) }),
      context != g_main_context_default()
    else { return nil }
    return loop(for: context)
  }

  static func loopOfThisThread() -> GRunLoop {
    if let loop = dispatchedLoop { return loop }
    let existing = g_main_context_get_thread_default()
    let context = existing ?? g_main_context_new()!
    if existing == nil { g_main_context_push_thread_default(context) }
    let loop: GRunLoop = lock.withLock {
      if let loop = loops[context] { return loop.takeUnretainedValue() }
      let loop = GRunLoop(context: context, thread: grl_thread_number(), isMain: false, isOwned: true)
      loops[context] = Unmanaged.passUnretained(loop)
      return loop
    }
    loop.noteThread()
    if existing == nil { g_main_context_unref(context) }
    grl_thread_set(GRL_SLOT_LOOP, Unmanaged.passRetained(loop).toOpaque())
    let end = ThreadEnd(loop: loop, ownsThreadDefault: existing == nil)
    grl_thread_at_exit({ ThreadEnd.arrived($0) }, Unmanaged.passRetained(end).toOpaque())
    return loop
  }

  /// The loops in somebody's context that end with a thread, since it drove them last, by its number. An entry is there
  /// from the first of them to the thread's end.
  private nonisolated(unsafe) static var threads: [UInt64: [ObjectIdentifier: GRunLoop]] = [:]

  /// This thread drives the loop, and that one did before.
  static func watchEnd(of loop: GRunLoop, before: UInt64) {
    guard grl_thread_get(GRL_SLOT_LOOP) != Unmanaged.passUnretained(loop).toOpaque() else { return }
    let id = ObjectIdentifier(loop)
    let number = grl_thread_number()
    let isFirst = lock.withLock {
      threads[before]?[id] = nil
      let isFirst = threads[number] == nil
      threads[number, default: [:]][id] = loop
      return isFirst
    }
    if isFirst { grl_thread_at_exit({ _ in Registry.threadEnds() }, nil) }
  }

  private static func threadEnds() {
    // The hooks of the first thread run at exit(3), when other threads still use its loops.
    if grl_thread_is_first() { return }
    let number = grl_thread_number()
    let loops = lock.withLock { threads.removeValue(forKey: number) ?? [:] }
    for loop in loops.values where loop.thread.load(ordering: .relaxed) == number {
      forget(loop)
      loop.abandonRunning()
      loop.end()
    }
  }
}

/// What is to be done when a thread ends.
private final class ThreadEnd {
  private let loop: GRunLoop
  private let ownsThreadDefault: Bool
  private let thread = grl_thread_number()

  init(loop: GRunLoop, ownsThreadDefault: Bool) {
    self.loop = loop
    self.ownsThreadDefault = ownsThreadDefault
  }

  static func arrived(_ argument: UnsafeMutableRawPointer?) {
    let end = Unmanaged<ThreadEnd>.fromOpaque(argument!).takeRetainedValue()
    // The hooks of the first thread run at exit(3), when other threads still use its loop. Another thread may drive the
    // context by now; that it did so for a moment, once, leaves no trace.
    guard !grl_thread_is_first(), end.loop.isLeft(by: end.thread) else { return }
    Registry.forget(end.loop)
    end.loop.abandonRunning()
    end.loop.end()
    if end.ownsThreadDefault { g_main_context_pop_thread_default(end.loop.context) }
    // Whoever asks for the loop in this thread's last moments finds one that has ended.
    let slot = grl_thread_get(GRL_SLOT_LOOP)
    if slot == Unmanaged.passUnretained(end.loop).toOpaque() {
      grl_thread_set(GRL_SLOT_LOOP, GRunLoop.hasEndedMark)
      Unmanaged.passUnretained(end.loop).release()
    }
  }
}
