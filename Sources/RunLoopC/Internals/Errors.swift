import CGLib
import CGRunLoop
import GLibRunLoop

/// Where C wants an error put; nil for nowhere. (`GError **`)
public typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?

@c @implementation public func grunloop_error_quark() -> GQuark {
  // Not the form for static strings: a literal that is handed to C lies on the stack.
  g_quark_from_string("grunloop-error-quark")
}

/// What `body` says of success; what it throws goes to the caller's GError.
func reporting(to place: ErrorPlace, _ body: () throws -> Void) -> gboolean {
  do {
    try body()
    return 1
  } catch {
    set(place, code(of: error), "\(error)")
    return 0
  }
}

private func code(of error: any Error) -> GRunLoopError {
  switch error {
  case GRunLoop.Failure.ended: GRUNLOOP_ERROR_ENDED
  case GRunLoop.Failure.timedOut: GRUNLOOP_ERROR_TIMED_OUT
  case GRunLoop.Failure.cancelled: GRUNLOOP_ERROR_CANCELLED
  case GRunLoop.Failure.forked: GRUNLOOP_ERROR_FORKED
  case GRunLoop.Failure.wrongThread: GRUNLOOP_ERROR_WRONG_THREAD
  default: GRUNLOOP_ERROR_REFUSED
  }
}

/// What cannot be done now, and why.
struct Refusal: Error, CustomStringConvertible {
  let description: String
}

private func set(_ place: ErrorPlace, _ code: GRunLoopError, _ message: String) {
  g_set_error_literal(place, grunloop_error_quark(), gint(code.rawValue), message)
}
