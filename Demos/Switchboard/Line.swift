import GLibRunLoop
import RunLoopPorts

/// What an operator knows of another one.
struct Line {
  enum State {
    case open
    /// The process has ended, and did not say so.
    case dead
    /// It said that it goes.
    case closed
  }

  let name: String
  var process: Int
  var state = State.open
  var port: RemotePort?
  /// Calls made and answered.
  var out = 0
  var `in` = 0
  var roundTrip: Duration?
  var lastHeard = ""
}
