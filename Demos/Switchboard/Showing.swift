import DemoKit
import GLibRunLoop
import Glibc

/// A scene with three operators, each a process: they call each other, one is killed and comes back, the others go on.
@MainActor final class Showing {
  private static let patience = Duration.seconds(20)

  private let began = GRunLoop.Instant.now
  private let exchange = "show\(getpid())"
  private let isWatched = isatty(STDOUT_FILENO) != 0
  private let hasColours = isatty(STDOUT_FILENO) != 0 && getenv("NO_COLOR") == nil
  private var cast: [String: Player] = [:]
  private var status: CInt = 1
  private var wanted: (who: String, text: String, continuation: CheckedContinuation<Void, Never>)?
  /// What was said since the scene last waited for something.
  private var said: [(who: String, text: String)] = []

  func run() -> CInt {
    let limit = GRunLoop.Timer(interval: Self.patience) { @MainActor [unowned self] _ in
      complain("Switchboard: the scene hangs: nobody says \"\(wanted?.text ?? "")\"; is there a session bus?")
      GRunLoop.main.stop()
    }
    GRunLoop.main.add(limit, forMode: .common)
    Task {
      await play()
      GRunLoop.main.stop()
    }
    GRunLoop.main.run()
    for player in cast.values { player.kill() }
    return status
  }

  private func play() async {
    await heading("three operators come on duty, each a process of its own")
    for name in ["anna", "bruno", "clara"] {
      begin(name)
      await hear(name, "on duty")
    }
    await hear("anna", "clara is here")
    await hear("bruno", "clara is here")
    await hear("clara", "bruno is here")
    await heading("they call each other")
    tell("anna", "call bruno Any news from the north?")
    await hear("anna", "← bruno")
    tell("clara", "all What time do you have?")
    await hear("clara", "← anna")
    await hear("clara", "← bruno")
    await heading("bruno is killed")
    cast["bruno"]?.kill()
    await hear("anna", "the line to bruno is dead")
    await hear("clara", "the line to bruno is dead")
    await heading("the others go on")
    tell("anna", "call clara Is the night train through?")
    await hear("anna", "← clara")
    await heading("bruno comes back, under the same name")
    begin("bruno")
    await hear("anna", "bruno is here")
    await hear("bruno", "clara is here")
    tell("bruno", "call clara Do you hear the hum, too?")
    await hear("bruno", "← clara")
    await heading("the night is over")
    for name in ["bruno", "clara", "anna"] {
      tell(name, "quit")
      await cast[name]?.end()
    }
    status = 0
  }

  // MARK: Stage directions

  private func begin(_ name: String) {
    guard
      let player = Player(
        ["--headless", "--exchange", exchange, name], hear: { [unowned self] in heard(name, $0) })
    else { return complain("Switchboard: \(name) cannot be started") }
    cast[name] = player
  }

  private func tell(_ name: String, _ order: String) { cast[name]?.tell(order) }

  /// Goes on once somebody says so; at once if that was said since the last time.
  private func hear(_ who: String, _ text: String) async {
    if let index = said.firstIndex(where: { $0.who == who && $0.text.contains(text) }) {
      said.remove(at: index)
      return
    }
    await withCheckedContinuation { wanted = (who, text, $0) }
  }

  private func heard(_ who: String, _ text: String) {
    let colour = text.contains("dead") || text.contains("failed") ? Colour.red : ""
    line(who, Colour.of(who), colour + text)
    guard let wanted, wanted.who == who, text.contains(wanted.text) else { return said.append((who, text)) }
    self.wanted = nil
    wanted.continuation.resume()
  }

  /// Somebody who watches wants to read, too.
  private func heading(_ text: String) async {
    if isWatched { try? await GRunLoop.main.clock().sleep(for: .milliseconds(900)) }
    said = []
    line("", "", "\(Colour.dim)── \(text) ──")
  }

  private func line(_ who: String, _ colour: String, _ text: String) {
    let time = "\(Int(began.duration(to: .now) / .milliseconds(1)))"
    let row =
      "\(Colour.dim)\(String(repeating: " ", count: max(0, 5 - time.count)))\(time) ms\(Colour.plain)  "
      + "\(colour)\(Text.padded(who, to: 5))\(Colour.plain) \(Colour.dim)│\(Colour.plain) \(text)\(Colour.plain)"
    print(hasColours ? row : Colour.without(row))
    fflush(nil)
  }
}
