import CRunLoopShims
import GLibRunLoop
import Glibc

/// What the environment asks for. Nothing is asked for where the program has more rights than who started it.
enum Environment {
  /// Does it, and returns what went wrong.
  static func obey() -> [String] {
    var problems: [String] = []
    if let limit = variable("GRUNLOOP_STALLS") {
      do throws(GRunLoop.InstrumentFailure) { try startDetector(limit) } catch {
        problems.append("GRUNLOOP_STALLS: \(error)")
      }
    }
    if let path = variable("GRUNLOOP_TRACE") {
      do throws(GRunLoop.InstrumentFailure) { try GRunLoop.Trace.start(forEnvironmentTo: path) } catch {
        problems.append("GRUNLOOP_TRACE: \(error)")
      }
    }
    return problems
  }

  private static func variable(_ name: String) -> String? {
    grl_environment(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func startDetector(_ limit: String) throws(GRunLoop.InstrumentFailure) {
    guard let milliseconds = Int64(limit), milliseconds > 0 else {
      throw GRunLoop.InstrumentFailure("\"\(limit)\" is no number of milliseconds")
    }
    let semaphore = grl_semaphore_make()!
    // On a thread of its own: this may be the making of the main loop.
    try ServiceThread.start("grunloop-start", semaphore: semaphore) {
      do throws(GRunLoop.InstrumentFailure) {
        try GRunLoop.StallDetector.start(on: .main, limit: .milliseconds(milliseconds), takesStacks: true)
      } catch {
        diagnose("GRUNLOOP_STALLS: \(error)")
      }
      grl_instruments_change(-1)
      return false
    }
    // What is added from now on is to have its line.
    grl_instruments_change(1)
    grl_semaphore_signal(semaphore)
  }
}

/// The engine calls it with the first loop, under locks of its own.
@c(grl_instruments_obey_environment)
func obeyEnvironment() -> UnsafeMutablePointer<CChar>? {
  let problems = Environment.obey()
  return problems.isEmpty ? nil : strdup(problems.joined(separator: "; "))
}
