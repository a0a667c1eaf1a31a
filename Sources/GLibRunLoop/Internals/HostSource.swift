import CGLib
import CRunLoopShims

/// A `GSource` whose functions are a Swift object's.
///
/// The context owns the `GSource`, and that owns the object: it lives until the context lets go of it, by `destroy()`
/// or because the context itself ends.
class HostSource {
  // The address must outlive every source, and nothing writes to it after this. The second has no prepare: GLib asks each
  // source that has one in each turn.
  nonisolated(unsafe) static let functions: UnsafeMutablePointer<GSourceFuncs> = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 2)
    functions.initialize(
      repeating: GSourceFuncs(
        prepare: { source, timeout in
          // Never TRUE: GLib then leaves out check, and with it the poll records' answers (GLib 2.74).
          timeout!.pointee = HostSource.object(of: source!)._withUnsafeGuaranteedRef { $0.prepare() }
          return 0
        },
        check: { source in HostSource.object(of: source!)._withUnsafeGuaranteedRef { $0.check() } ? 1 : 0 },
        dispatch: { source, _, _ in
          // Held: what it calls may take the source out of its context.
          HostSource.object(of: source!).takeUnretainedValue().dispatch() ? 1 : 0
        },
        finalize: { source in HostSource.finalize(source!) },
        closure_callback: nil, closure_marshal: nil), count: 2)
    functions[1].prepare = nil
    return functions
  }()

  /// Valid until `isGone`.
  private(set) var source: UnsafeMutablePointer<GSource>
  private var isGone = false

  /// - Parameter prepares: Whether `prepare` is to be called.
  init(name: StaticString, priority: CInt, prepares: Bool = true) {
    source = grl_source_new(Self.functions + (prepares ? 0 : 1))
    let object = Unmanaged.passRetained(self)
    g_source_set_static_name(source, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
    g_source_set_priority(source, priority)
    // A source that cannot recurse is unlinked and linked again at each dispatch, and a nested loop would miss it.
    g_source_set_can_recurse(source, 1)
    // Told when the source is destroyed, while its context is still there: finalize comes after that was freed (2.74).
    g_source_set_callback(
      source, { _ in 1 }, object.toOpaque(), { Unmanaged<HostSource>.fromOpaque($0!).takeUnretainedValue().didEnd() })
  }

  final func attach(to context: OpaquePointer) {
    // Last of all, so that whoever dispatches it sees all that the object was made of.
    grl_source_set_object(source, Unmanaged.passUnretained(self).toOpaque())
    g_source_attach(source, context)
    g_source_unref(source)
  }

  final func destroy() { if !isGone { g_source_destroy(source) } }

  private static func object(of source: UnsafeMutablePointer<GSource>) -> Unmanaged<HostSource> {
    Unmanaged.fromOpaque(grl_source_object(source)!)
  }

  private static func finalize(_ source: UnsafeMutablePointer<GSource>) {
    let object = object(of: source)
    object._withUnsafeGuaranteedRef { $0.isGone = true }
    object.release()
  }

  // MARK: What kinds of source differ in

  /// How long the context may sleep at most, in milliseconds; -1 for any time. Runs no user code: GLib 2.74 deadlocks
  /// when a loop is run from here.
  func prepare() -> CInt { -1 }
  func check() -> Bool { false }
  /// False ends the source.
  func dispatch() -> Bool { true }
  func didEnd() {}
}
