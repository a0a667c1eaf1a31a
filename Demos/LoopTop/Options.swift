/// What the command line asks for.
struct Options {
  /// A process's number, or a program's name; nil is any.
  var target: String?
  var interval = Duration.seconds(1)
  static let intervals = Duration.milliseconds(50)...Duration.seconds(3600)
  var isOnce = false
  var isJSON = false
  var isList = false

  enum Command {
    case watch(Options)
    case help
    case wrong(String)
  }

  static func parse(_ arguments: [String]) -> Command {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help": return .help
      case "--once": options.isOnce = true
      case "--json": options.isJSON = true
      case "--list": options.isList = true
      case "--interval":
        guard let seconds = rest.popFirst().flatMap(Double.init), (0.05...3600).contains(seconds) else {
          return .wrong("--interval needs seconds, from 0.05 to 3600")
        }
        options.interval = .milliseconds(Int64(seconds * 1000))
      case _ where argument.hasPrefix("-"): return .wrong("there is no option \(argument); see --help")
      case _ where options.target != nil: return .wrong("it shows one process at a time; see --help")
      default: options.target = argument
      }
    }
    if options.isJSON && !options.isOnce && !options.isList { return .wrong("--json goes with --once or --list") }
    return .watch(options)
  }

  static let usage = """
    LoopTop shows what the run loops of another process do, as top does for processes. That process publishes it: it holds
    a MetricsServer, which costs nothing until somebody looks.

    usage: LoopTop [PROCESS] [options]

      PROCESS          A process's number, or the name of a program that runs once. The first one that publishes, if
                       left out.
      --list           Which processes publish.
      --once           Look for one interval, write that, and end. Likewise if the output is no terminal.
      --json           As one line of JSON.
      --interval N     Look every N seconds (1).

    keys, on a terminal:

      tab              The next loop of this process.
      n                The next process.
      space            Hold still, or go on.
      + -              Look more often, or less.
      q, Ctrl-C        Quit.

    """
}
