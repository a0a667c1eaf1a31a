/// What the command line asks for.
enum Options {
  case serve(name: String, exchange: String, isHeadless: Bool)
  case show
  case help
  case wrong(String)

  static func parse(_ arguments: [String]) -> Options {
    var name: String?
    var exchange = "lobby"
    var isHeadless = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help": return .help
      case "--show": return .show
      case "--headless": isHeadless = true
      case "--exchange":
        guard let text = rest.popFirst(), isName(text) else { return .wrong("--exchange needs a name; see --help") }
        exchange = text
      case _ where argument.hasPrefix("-"): return .wrong("there is no option \(argument); see --help")
      case _ where name != nil: return .wrong("an operator has one name; see --help")
      case _ where !isName(argument): return .wrong("\"\(argument)\" is no name; see --help")
      default: name = argument
      }
    }
    guard let name else { return .wrong("who is on duty? Say a name; see --help") }
    return .serve(name: name, exchange: exchange, isHeadless: isHeadless)
  }

  private static func isName(_ text: String) -> Bool {
    (1...12).contains(text.utf8.count) && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
  }

  static let usage = """
    Switchboard is one operator of a telephone exchange. Operators are processes: they find each other by distributed
    notifications, and speak through message ports. Start some, each in a terminal of its own; kill one, start it again.

    usage: Switchboard NAME [--exchange NAME] [--headless]
           Switchboard --show

      NAME             The operator's name: up to 12 small letters and digits.
      --exchange NAME  Whose operators find each other ("lobby").
      --headless       No screen: events as lines on standard output, orders as lines on standard input, "call NAME TEXT",
                       "all TEXT", "who" or "quit".
      --show           Play a short scene with three operators, of whom one is killed and comes back, and end.

    keys, on a terminal:

      1 … 9            Call that operator.
      a                Call everybody.
      space            Chatter: call somebody every other second, or stop.
      q, Ctrl-C        Go off duty.

    There must be a session bus: in a bare shell, start a shell with one by `dbus-run-session bash`.

    """
}
