import DemoKit
import Glibc

// A shell can close standard input (`<&-`). Its number must not go to something else then.
if fcntl(STDIN_FILENO, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
// As they are: the names of files need not be text.
let arguments = (1..<max(1, Int(CommandLine.argc))).map { FileName(cString: CommandLine.unsafeArgv[$0]!) }
switch Options.parse(arguments) {
case .help:
  print(Options.help, terminator: "")
case .wrong(let problem):
  write(Array("FollowLog: \(problem)\n".utf8), to: STDERR_FILENO)
  exit(2)
case .follow(let options):
  if options.paths.allSatisfy({ $0 == Options.standardInput }), isatty(STDIN_FILENO) != 0 {
    write(Array("FollowLog: name a file, or pipe something in; see --help\n".utf8), to: STDERR_FILENO)
    exit(2)
  }
  exit(Follower(options).run())
}
