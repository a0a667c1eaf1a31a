import CRunLoopShims
import Glibc

/// What the environment asks for, looked at when the first loop is made.
enum Environment {
  /// Done once it was asked for.
  static let isObeyed: Bool = {
    if let limit = getenv("GRUNLOOP_STALLS").map({ String(cString: $0) }), !limit.isEmpty { startDetector(limit) }
    if let path = getenv("GRUNLOOP_TRACE"), path.pointee != 0 {
      do throws(GRunLoop.InstrumentFailure) {
        try GRunLoop.Trace.start(writingTo: String(cString: path))
      } catch {
        diagnose("GRUNLOOP_TRACE: \(error)")
      }
    }
    return true
  }()

  private static func startDetector(_ limit: String) {
    guard let milliseconds = Int64(limit), milliseconds > 0 else {
      return diagnose("GRUNLOOP_STALLS: \"\(limit)\" is no number of milliseconds")
    }
    // What is added from now on is to have its line.
    grl_instruments_change(1)
    // On a thread of its own: this may be the making of the main loop.
    do throws(GRunLoop.InstrumentFailure) {
      let semaphore = grl_semaphore_make()!
      try ServiceThread.start("grunloop-start", semaphore: semaphore) {
        do throws(GRunLoop.InstrumentFailure) {
          try GRunLoop.StallDetector.start(on: .main, limit: .milliseconds(milliseconds), takesStacks: true)
        } catch {
          diagnose("GRUNLOOP_STALLS: \(error)")
        }
        grl_instruments_change(-1)
        return false
      }
      grl_semaphore_signal(semaphore)
    } catch {
      grl_instruments_change(-1)
      diagnose("GRUNLOOP_STALLS: \(error)")
    }
  }
}
