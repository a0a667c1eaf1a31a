import CGLib

/// Says one line about a call that was refused, or about news from outside that makes no sense, as the run loop does: a
/// GLib warning in the domain `GLibRunLoop`.
func diagnose(_ message: String) {
  message.withCString { text in
    withVaList([text]) { g_logv("GLibRunLoop", G_LOG_LEVEL_WARNING, "%s", $0) }
  }
}
