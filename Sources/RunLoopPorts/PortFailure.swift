import Glibc

/// Why a port did not do what it was asked.
public enum PortFailure: Error, Equatable, Sendable {
  /// The time was up. What was not sent will not be; an answer that comes later is dropped.
  case timedOut
  /// The port was invalidated, or its loop has ended, or the process at the other end has gone.
  case invalid
  /// The receiver took the request and let go of it without an answer.
  case noReply
  /// Another port of this user has the name.
  case nameTaken(String)
  /// No port of this user has the name.
  case notFound(String)
  /// Not a name that a port can have; says why.
  case badName(String)
  /// The port of that name belongs to the user of this number, not to this process's.
  case foreignUser(UInt32)
  /// The message is over a limit, or holds what cannot leave the process; says which.
  case notSendable(String)
  /// The loop cannot run in the mode that was given to wait in: it is a set of modes, or has no name.
  case notAMode(String)
  /// A system call was refused with this error number.
  case system(call: String, code: Int32)
}

extension PortFailure: CustomStringConvertible {
  /// What happened, and what to do about it, in one line.
  public var description: String {
    switch self {
    case .timedOut:
      "the time was up: does the receiver's loop run in a mode of its port's?"
    case .invalid:
      "the port is no longer valid: it was invalidated, its loop has ended, or the other process has gone"
    case .noReply:
      "the receiver let go of the request without an answer"
    case .nameTaken(let name):
      "the name \"\(name)\" is taken by another port of this user: choose another, or end the program that has it"
    case .notFound(let name):
      "no port of this user has the name \"\(name)\": is the program that serves it running?"
    case .badName(let reason):
      "not a port's name: \(reason)"
    case .foreignUser(let user):
      "the port of that name belongs to user \(user): only ports of the same user are spoken to"
    case .notSendable(let reason):
      "the message cannot be sent: \(reason)"
    case .notAMode(let mode):
      "the loop cannot run in \"\(mode)\" to wait there: give the name of one mode"
    case .system(let call, let code):
      "\(call) failed: \(String(cString: strerror(code)))"
    }
  }
}
