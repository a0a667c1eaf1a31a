import Glibc

switch Options.parse(Array(CommandLine.arguments.dropFirst())) {
case .help:
  print(Options.usage, terminator: "")
case .wrong(let problem):
  complain("Switchboard: \(problem)")
  exit(2)
case .serve(let name, let exchange, let isHeadless):
  exit(Shift(name: name, exchange: exchange, isHeadless: isHeadless).run())
case .show:
  exit(Showing().run())
}

func complain(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
