/// What the command line asks for.
struct Options {
  var paths: [FileName] = []
  /// How many lines of each file to begin with; nil is all of them.
  var lines: Int? = 10
  var word: String?
  var isDrivenByGLib = false

  enum Command {
    case follow(Options)
    case help
    case wrong(String)
  }

  static let standardInput = FileName("-")

  static func parse(_ arguments: [FileName]) -> Command {
    var options = Options()
    var rest = arguments[...]
    var mayBeOption = true
    while let name = rest.popFirst() {
      let argument = name.text
      guard mayBeOption, argument.hasPrefix("-"), argument != "-" else {
        if !options.paths.contains(name) { options.paths.append(name) }
        continue
      }
      switch argument {
      case "--": mayBeOption = false
      case "--help": return .help
      case "--glib": options.isDrivenByGLib = true
      case "-n", "--lines":
        guard let text = rest.popFirst()?.text else { return .wrong("\(argument) needs a number, or \"all\"") }
        guard text == "all" || Int(text).map({ $0 >= 0 }) == true else {
          return .wrong("\(argument) needs a number, or \"all\", not \"\(text)\"")
        }
        options.lines = Int(text)
      case "--highlight":
        guard let word = rest.popFirst()?.text, !word.isEmpty else { return .wrong("--highlight needs a word") }
        options.word = word
      default: return .wrong("there is no option \(argument); see --help")
      }
    }
    return .follow(options)
  }

  static let help = """
    FollowLog follows growing files and standard input, as `tail -F` does, and shows how fast they grow.

    usage: FollowLog [options] [file ...]

      file               A file to follow. One that does not exist is waited for; one that is rotated, replaced or
                         truncated is followed on. "-" is standard input, which is also read if no file is named.
      -n, --lines N      Begin with the last N lines of each file (10), or with "all" of them.
      --highlight WORD   Mark this word, in upper or lower case, besides errors and warnings.
      --glib             Let g_main_loop_run drive the loop, and not GRunLoop.run. Nothing else changes.
      --help             Show this.

    keys, on a terminal:

      space, p           Pause: what comes meanwhile is held, and shown afterwards.
      h                  Turn highlighting off, and on again.
      q, Ctrl-C          Quit.

    Lines go to standard output, remarks such as "was rotated" to standard error. Output that is not a terminal gets
    neither colours nor a status line. The exit status is 0, or 128 and the number of the signal that ended it.

    """
}
