import CGLib
import Glibc

/// What the library says about refused calls, taken off the log so that a test can look at it.
///
/// GLib's log handlers are the whole process's, and tests run beside each other: one handler is there for good, and
/// keeps only what is said on a thread that captures.
package enum CapturedWarnings {
  /// What the library says on this thread while `body` runs.
  package static func during(_ body: () throws -> Void) rethrows -> [String] {
    _ = handler
    let outer = captured.withLock { $0.updateValue([], forKey: pthread_self()) }
    defer { captured.withLock { $0[pthread_self()] = outer } }
    try body()
    return captured.withLock { $0[pthread_self()] ?? [] }
  }

  private static let captured = Locked<[pthread_t: [String]]>([:])

  private static let handler: CUnsignedInt = g_log_set_handler(
    "GLibRunLoop", G_LOG_LEVEL_WARNING,
    { domain, level, message, _ in
      let isKept = CapturedWarnings.captured.withLock { captured in
        guard let message, captured[pthread_self()] != nil else { return false }
        captured[pthread_self()]!.append(String(cString: message))
        return true
      }
      if !isKept { g_log_default_handler(domain, level, message, nil) }
    }, nil)
}
