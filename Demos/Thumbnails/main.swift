import Glibc

// Whoever reads the output may go; the temporary folder is to go all the same.
signal(SIGPIPE, SIG_IGN)
switch Options.parse(Array(CommandLine.arguments.dropFirst())) {
case .help:
  print(Options.help, terminator: "")
case .wrong(let problem):
  complain(problem)
  exit(2)
case .run(let options):
  exit(Gallery(options).run())
}
