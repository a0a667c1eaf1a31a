import Glibc

/// What the command line asks for.
struct Options {
  var folder: String?
  var count = 40
  var width = 800
  var height = 600
  /// One processor is left to the loop: with all of them at work, the kernel makes it wait for its turn.
  var atOnce = max(1, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))) - 1)
  var keepsFolder = false
  var isDrivenByGLib = false

  enum Command {
    case run(Options)
    case help
    case wrong(String)
  }

  static func parse(_ arguments: [String]) -> Command {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help": return .help
      case "--glib": options.isDrivenByGLib = true
      case "--keep": options.keepsFolder = true
      case "--count":
        guard let text = rest.popFirst(), let count = Int(text), (0...9999).contains(count) else {
          return .wrong("--count needs a number up to 9999")
        }
        options.count = count
      case "--at-once":
        guard let text = rest.popFirst(), let count = Int(text), count > 0 else {
          return .wrong("--at-once needs a number of 1 or more")
        }
        options.atOnce = count
      case "--size":
        let sides = (rest.popFirst() ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
          (1...10_000).contains(width), (1...10_000).contains(height)
        else { return .wrong("--size needs two numbers up to 10000, such as 800x600") }
        (options.width, options.height) = (width, height)
      default:
        if argument.hasPrefix("-") { return .wrong("there is no option \(argument); see --help") }
        if options.folder != nil { return .wrong("one folder is enough; see --help") }
        options.folder = argument
      }
    }
    return .run(options)
  }

  static let help = """
    Thumbnails makes small pictures of large ones, in the background, while its main loop stays awake for everything else.

    usage: Thumbnails [options] [folder]

      folder        A folder of pictures in the PPM format (P6, 8 bits). Without one, the program draws some into a
                    temporary folder, and removes it in the end. Thumbnails go to "thumbnails" in the folder.
      --count N     How many pictures to draw (40).
      --size WxH    How large they are (800x600).
      --at-once N   How many to work on at a time (one less than there are processors).
      --keep        Leave the temporary folder there, and say where it is.
      --glib        Let g_main_loop_run drive the loop, and not GRunLoop.run. Nothing else changes.
      --help        Show this.

    Ctrl-C cancels what is under way, and the program says what was done; pressed again, it ends at once.

    The longest stall is how late the worst of a timer's calls was, one each millisecond: what a key press would have had
    to wait. If other programs keep all processors busy, it is the kernel's. The exit status is 0; 1 if a picture could not be read or written; or 128 and the number of the signal that
    ended it.

    """
}
