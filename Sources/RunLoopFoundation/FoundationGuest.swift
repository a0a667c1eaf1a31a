import CFoundationRunLoop
import CGLib
import Foundation
import GLibRunLoop

/// Foundation's main run loop as a guest of the main loop.
///
/// Its passes are made from two places. A `GSource` watches the descriptor in which the timers of the running mode end.
/// An observer is told before each sleep, so that closures that were performed since then have their turn. A handler of
/// Foundation's may run the main loop again: the source recurses, and there is one observer more than passes in progress.
final class FoundationGuest {
  // All on the main thread: the source and the observers are the main loop's.

  private struct Mode {
    let foundation: UnsafeRawPointer
    let descriptor: CInt
  }

  /// A loop that never sleeps, or whose host only polls, makes a pass so often, in microseconds.
  private static let longestWait: Int64 = 10_000

  @MainActor private static var isSettled = false
  private nonisolated(unsafe) static var guest: FoundationGuest!  // Set once, before the source is attached.

  private let loop = GRunLoop.main
  private let source: UnsafeMutablePointer<GSource>
  private var modes: [GRunLoop.Mode: Mode] = [:]
  /// Those that Foundation has, but whose descriptor was not found. That was said.
  private var unserved: Set<GRunLoop.Mode> = []
  private var watched: (mode: GRunLoop.Mode, tag: gpointer?)?
  private var observers: [GRunLoop.Observer] = []
  private var passesInProgress = 0
  private var lastPass: Int64 = 0

  @MainActor static func settle() {
    guard !isSettled else { return }
    guard GRunLoop.main.isCurrent, cfrl_is_current() else {
      return warn("serveFoundation() was ignored: another thread drives the default main context")
    }
    isSettled = true
    guest = FoundationGuest()
    for mode in [GRunLoop.Mode.default, .modalPanel, .eventTracking] where !guest.open(mode) {
      fatalError(
        "serveFoundation() does not know this version of Foundation: it found no descriptor for \"\(mode)\" in the "
          + "description of CFRunLoopGetMain()")
    }
    guest.addObserver()
    g_source_attach(guest.source, guest.loop.context)
  }

  private init() {
    source = g_source_new(Self.functions, UInt32(MemoryLayout<GSource>.size))
    g_source_set_static_name(source, "Foundation's run loop")
    g_source_set_can_recurse(source, 1)
  }

  // The address must outlive the source, and nothing writes to it after this.
  private nonisolated(unsafe) static let functions: UnsafeMutablePointer<GSourceFuncs> = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
    functions.initialize(
      to: GSourceFuncs(
        prepare: { _, timeout in
          timeout!.pointee = -1
          FoundationGuest.guest.watch()
          return 0
        },
        check: { _ in FoundationGuest.guest.isReady() ? 1 : 0 },
        dispatch: { _, _, _ in
          FoundationGuest.guest.pass()
          return 1
        },
        finalize: nil, closure_callback: nil, closure_marshal: nil))
    return functions
  }()

  // MARK: Modes

  private var mode: GRunLoop.Mode { loop.currentMode ?? loop.hostMode }

  /// Gives Foundation's loop a common mode of the same name. False if its descriptor cannot be found.
  private func open(_ mode: GRunLoop.Mode) -> Bool {
    var name = mode.rawValue
    let (foundation, descriptor): (UnsafeRawPointer?, CInt) = name.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        let foundation = cfrl_common_mode(bytes.baseAddress, bytes.count)
        // Common or not, Foundation makes a mode only when something is put into it.
        RunLoop.main.perform(inModes: [RunLoop.Mode(mode)]) {}
        return (foundation, cfrl_mode_descriptor(bytes.baseAddress, bytes.count))
      }
    }
    guard let foundation, descriptor >= 0 else { return false }
    modes[mode] = Mode(foundation: foundation, descriptor: descriptor)
    // It may be the one that is waited in already.
    if watched?.mode == mode { watched = nil }
    return true
  }

  /// Has the source wait for the running mode's timers. Runs no code of Foundation's.
  private func watch() {
    let mode = mode
    if watched?.mode == mode { return }
    if let tag = watched?.tag { g_source_remove_unix_fd(source, tag) }
    watched = (mode, modes[mode].map { g_source_add_unix_fd(source, $0.descriptor, G_IO_IN) })
  }

  private var isDue: Bool {
    guard let tag = watched?.tag else { return isNew(mode) }
    return g_source_query_unix_fd(source, tag).rawValue != 0
      || Int64(g_source_get_time(source)) - lastPass > Self.longestWait
  }

  /// A pass of Foundation's is no source of its own: what ends a run that waits for one, Foundation does not tell.
  private func isReady() -> Bool {
    guard isDue else { return false }
    loop.guestIsReady(descriptors: watched?.tag.map { g_source_query_unix_fd(source, $0).rawValue != 0 ? 1 : 0 } ?? 0)
    return true
  }

  /// Whether the mode became common since. What is in the common set's modes shows it: the observer is.
  private func isNew(_ mode: GRunLoop.Mode) -> Bool {
    modes[mode] == nil && !unserved.contains(mode) && loop.contains(observers[0], inMode: mode)
  }

  private func openIfNew(_ mode: GRunLoop.Mode) {
    guard isNew(mode), !open(mode) else { return }
    unserved.insert(mode)
    Self.warn("Foundation's run loop is not served in mode \"\(mode)\": it was not found in its description")
  }

  // MARK: Passes

  private func addObserver() {
    let index = observers.count
    let observer = GRunLoop.Observer(activities: .beforeWaiting, order: .max) { [unowned self] observer, _ in
      // The others are for the runs inside passes.
      guard passesInProgress == index else { return }
      pass()
    }
    observers.append(observer)
    loop.add(observer, forMode: .common)
  }

  private func pass() {
    openIfNew(mode)
    guard let mode = modes[mode] else { return }
    passesInProgress += 1
    if observers.count == passesInProgress { addObserver() }
    cfrl_turn(mode.foundation)
    passesInProgress -= 1
    lastPass = Int64(g_get_monotonic_time())
  }

  private static func warn(_ message: String) {
    withVaList([]) { g_logv("GLibRunLoop", G_LOG_LEVEL_WARNING, message, $0) }
  }
}
