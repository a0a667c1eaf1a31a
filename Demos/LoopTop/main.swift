import Glibc

switch Options.parse(Array(CommandLine.arguments.dropFirst())) {
case .help: print(Options.usage, terminator: "")
case .wrong(let problem): exit(complain(problem, 2))
case .watch(let options): exit(Watcher(options).run())
}

/// The exit code, so that a caller says both in one line.
func complain(_ text: String, _ code: CInt) -> CInt {
  let bytes = Array("LoopTop: \(text)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
  return code
}
