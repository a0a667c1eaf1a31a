import CGLib

/// What the library says about refused calls, on any thread.
enum Warnings {
  static let log = Log(of: String.self)

  static func capture() {
    g_log_set_handler(
      "GLibRunLoop", G_LOG_LEVEL_WARNING, { _, _, message, _ in Warnings.log.append(String(cString: message!)) }, nil)
  }

  static func contain(_ part: String) -> Bool { log.entries.contains { $0.contains(part) } }
}
