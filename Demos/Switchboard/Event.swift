import Glibc

/// What an operator notices.
enum Event {
  case onDuty(exchange: String, process: Int)
  case arrived(String)
  case calls(String, String)
  case answered(String, String, Duration)
  case asked(String, String)
  case failed(String, String)
  case died(String)
  case left(String)
  case note(String)

  /// Whom it is about.
  var other: String? {
    switch self {
    case .onDuty, .note: nil
    case .arrived(let name), .died(let name), .left(let name): name
    case .calls(let name, _), .asked(let name, _), .failed(let name, _), .answered(let name, _, _): name
    }
  }

  var isBad: Bool {
    switch self {
    case .died, .failed: true
    default: false
    }
  }

  var text: String {
    switch self {
    case .onDuty(let exchange, let process): "on duty at \"\(exchange)\", process \(process)"
    case .arrived(let name): "\(name) is here"
    case .calls(let name, let text): "→ \(name): \(text)"
    case .answered(let name, let text, let time): "← \(name): \(text) (\(milliseconds(time)))"
    case .asked(let name, let text): "\(name) asks: \(text)"
    case .failed(let name, let reason): "the call to \(name) failed: \(reason)"
    case .died(let name): "the line to \(name) is dead"
    case .left(let name): "\(name) goes off duty"
    case .note(let text): text
    }
  }
}

/// Two digits after the point: 0.21 ms.
func milliseconds(_ duration: Duration) -> String {
  let hundredths = (duration.components.seconds * 100_000 + duration.components.attoseconds / 10_000_000_000_000)
  let rest = hundredths % 100
  return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) ms"
}

/// Where events go.
@MainActor protocol Display: AnyObject {
  func show(_ event: Event)
  /// The table of lines is another one.
  func linesChanged(_ lines: [Line])
  func end()
}

/// Events as lines, for scripts and pipes.
@MainActor final class Transcript: Display {
  func show(_ event: Event) {
    print(event.text)
    fflush(nil)
  }

  func linesChanged(_ lines: [Line]) {}
  func end() {}
}
