import CGLib
import Glibc
import Synchronization

/// Sources that GLib made, with a Swift closure as their call-back: what a library that knows nothing of run loops
/// attaches to a context.
package enum Foreign {
  package typealias Source = UnsafeMutablePointer<GSource>

  /// `g_idle_source_new`
  package static func idle(priority: CInt = G_PRIORITY_DEFAULT, _ callback: @escaping () -> Bool) -> Source {
    let source = g_idle_source_new()!
    g_source_set_priority(source, priority)
    return with(callback, source)
  }

  /// `g_timeout_source_new`
  package static func timeout(
    milliseconds: UInt32, priority: CInt = G_PRIORITY_DEFAULT, _ callback: @escaping () -> Bool
  ) -> Source {
    let source = g_timeout_source_new(milliseconds)!
    g_source_set_priority(source, priority)
    return with(callback, source)
  }

  /// `g_unix_fd_source_new`, for reading.
  package static func readable(_ descriptor: CInt, _ callback: @escaping () -> Bool) -> Source {
    let source = g_unix_fd_source_new(descriptor, G_IO_IN)!
    let function: GUnixFDSourceFunc = { _, _, box in Box.call(box) }
    g_source_set_callback(source, unsafeBitCast(function, to: GSourceFunc.self), Box.retained(callback), Box.release)
    return source
  }

  private static func with(_ callback: @escaping () -> Bool, _ source: Source) -> Source {
    g_source_set_callback(source, { Box.call($0) }, Box.retained(callback), Box.release)
    return source
  }

  private final class Box {
    /// GLib's lock hands a box over from thread to thread, which the thread sanitizer does not see.
    private static let handover = Atomic<Int>(0)
    let callback: () -> Bool

    init(_ callback: @escaping () -> Bool) { self.callback = callback }

    static func retained(_ callback: @escaping () -> Bool) -> gpointer {
      let box = Unmanaged.passRetained(Box(callback)).toOpaque()
      handover.wrappingAdd(1, ordering: .releasing)  // Releasing: the box as it was made.
      return box
    }

    static func call(_ box: gpointer?) -> gboolean {
      _ = handover.load(ordering: .acquiring)  // Acquiring: as above.
      return Unmanaged<Box>.fromOpaque(box!).takeUnretainedValue().callback() ? 1 : 0
    }

    static let release: GDestroyNotify = { Unmanaged<Box>.fromOpaque($0!).release() }
  }
}

extension UnsafeMutablePointer<GSource> {
  /// Attaches it to a context, which then owns it.
  package func attach(to context: OpaquePointer) {
    g_source_attach(self, context)
    g_source_unref(self)
  }
}

/// Something to be readable: one byte in a pipe.
package final class BytePipe: Sendable {
  package let readEnd: CInt
  package let writeEnd: CInt

  package init() {
    var ends: [CInt] = [-1, -1]
    precondition(pipe(&ends) == 0, "pipe failed: \(errno)")
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  package func put() { _ = withUnsafeBytes(of: UInt8(1)) { write(writeEnd, $0.baseAddress, 1) } }

  package func take() {
    var byte: UInt8 = 0
    _ = read(readEnd, &byte, 1)
  }
}
