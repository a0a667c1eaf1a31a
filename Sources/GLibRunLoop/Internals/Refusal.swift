import CRunLoopShims

/// A call that the kernel or a sandbox refuses for good. Something else is done in its place, and said once in a process.
enum Refusal {
  /// Says what was refused since the last time. Not under a loop's lock, since whoever reads the log may use the loop.
  static func sayNew() { while let line = take() { diagnose(line) } }

  @inline(__always)
  fileprivate static func take() -> String? { grl_has_unsaid_refusals() ? takeLine() : nil }

  @inline(never)
  private static func takeLine() -> String? {
    var error: CInt = 0
    let call = grl_take_refusal(&error)
    let reason = String(cString: g_strerror(error))
    switch call {
    case GRL_EPOLL_PWAIT2: return "epoll_pwait2 failed: \(reason); each sleep takes another call, ppoll"
    case GRL_TIMERFD_CREATE:
      return """
        timerfd_create failed: \(reason); a thread of the process rings in its place, and notices within a second \
        that the time of day was set or the machine suspended
        """
    case GRL_PIDFD_OPEN:
      return "pidfd_open failed: \(reason); a thread waits for each child in its place"
    default: return nil
    }
  }
}

extension GRunLoop {
  /// Under the lock.
  @inline(__always)
  func sayRefusalsLater() { while let line = Refusal.take() { diagnoseLater(line) } }
}
