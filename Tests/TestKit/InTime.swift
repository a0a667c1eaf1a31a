import GLibRunLoop
import Testing

/// Plays a scene in which something has to happen before a time has passed, with longer and longer times until it does:
/// a busy machine is late, and that proves nothing.
///
/// - Parameters:
///   - longest: The last of the times is not shorter than this. It is for a broken loop.
///   - scene: Plays it with a time. False if the machine was too late.
package func inTime(
  from shortest: Duration = .milliseconds(20), to longest: Duration = .seconds(20),
  sourceLocation: SourceLocation = #_sourceLocation, _ scene: (Duration) throws -> Bool
) rethrows {
  var time = shortest
  while try !scene(time) {
    guard time < longest else {
      Issue.record("it was not in time, with \(time) either", sourceLocation: sourceLocation)
      return
    }
    time *= 4
  }
}
