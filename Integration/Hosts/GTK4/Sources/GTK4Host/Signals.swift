import CGtk

/// Calls a closure of the main actor's whenever a GObject emits a signal; what else the signal tells is left out.
@MainActor func connect(_ object: some Instance, _ signal: String, _ body: @escaping @MainActor () -> Void) {
  // Swapped, so that the data comes first, however many arguments the signal has.
  let handler: @convention(c) (gpointer) -> Void = { box in
    MainActor.assumeIsolated { Unmanaged<Handler>.fromOpaque(box).takeUnretainedValue().body() }
  }
  g_signal_connect_data(
    object.address, signal, unsafeBitCast(handler, to: GCallback.self),
    Unmanaged.passRetained(Handler(body)).toOpaque(),
    { box, _ in Unmanaged<Handler>.fromOpaque(box!).release() }, G_CONNECT_SWAPPED)
}

@MainActor private final class Handler {
  let body: @MainActor () -> Void

  init(_ body: @escaping @MainActor () -> Void) { self.body = body }
}

/// A pointer to a GObject, under whichever of its C types.
protocol Instance {
  var address: gpointer { get }
}

extension OpaquePointer: Instance {
  var address: gpointer { gpointer(self) }
}

extension UnsafeMutablePointer: Instance {
  var address: gpointer { gpointer(self) }
}

/// What C does with macros: the same object as another class of its.
extension Instance {
  var asApplication: UnsafeMutablePointer<GApplication> { address.assumingMemoryBound(to: GApplication.self) }
  var asWindow: UnsafeMutablePointer<GtkWindow> { address.assumingMemoryBound(to: GtkWindow.self) }
  var asWidget: UnsafeMutablePointer<GtkWidget> { address.assumingMemoryBound(to: GtkWidget.self) }
  var asBox: UnsafeMutablePointer<GtkBox> { address.assumingMemoryBound(to: GtkBox.self) }
  var asFixed: UnsafeMutablePointer<GtkFixed> { address.assumingMemoryBound(to: GtkFixed.self) }
  var opaque: OpaquePointer { OpaquePointer(address) }
}
