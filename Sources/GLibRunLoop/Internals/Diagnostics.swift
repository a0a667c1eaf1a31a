import CRunLoopShims

/// Says one line about a call that was refused, as GLib does: a warning in the log domain `GLibRunLoop`, which
/// `g_log_set_handler` redirects and `G_DEBUG=fatal-warnings` makes fatal.
package func diagnose(_ message: String) { grl_log_warning(message) }
